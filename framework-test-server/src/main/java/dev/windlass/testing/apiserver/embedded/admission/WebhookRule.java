// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.admission.WriteAttributes.Operation;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.util.HashSet;
import java.util.Set;

/**
 * A webhook rule. It selects writes by resource and operation.
 *
 * @param operations the operations that the rule selects; {@code *} selects all
 * @param groups the API groups that the rule selects; {@code *} selects all
 * @param versions the API versions that the rule selects; {@code *} selects all
 * @param resources the resources that the rule selects, such as {@code pods}, {@code pods/status},
 *     {@code pods/*} or {@code *}
 * @param scope {@code Namespaced}, {@code Cluster} or {@code *}
 */
record WebhookRule(
    Set<String> operations,
    Set<String> groups,
    Set<String> versions,
    Set<String> resources,
    String scope) {
  private static final String ANY = "*";

  static WebhookRule of(JsonNode rule) {
    return new WebhookRule(
        texts(rule.path("operations")),
        texts(rule.path("apiGroups")),
        texts(rule.path("apiVersions")),
        texts(rule.path("resources")),
        rule.path("scope").asText(ANY));
  }

  private static Set<String> texts(JsonNode list) {
    Set<String> texts = new HashSet<>();
    list.forEach(item -> texts.add(item.asText()));
    return texts;
  }

  /** Returns whether the rule selects an operation on a resource. */
  boolean matches(Operation operation, ResourceType type, String subresource) {
    return (operations.contains(ANY) || operations.contains(operation.name()))
        && matches(type, subresource);
  }

  /** Returns whether the rule selects at least one operation on a resource. */
  boolean matches(ResourceType type, String subresource) {
    return matchesScope(type)
        && (groups.contains(ANY) || groups.contains(type.group()))
        && (versions.contains(ANY) || versions.contains(type.version()))
        && resources.stream().anyMatch(name -> matches(name, type.plural(), subresource));
  }

  private boolean matchesScope(ResourceType type) {
    return scope.equals(ANY) || scope.equals(type.namespaced() ? "Namespaced" : "Cluster");
  }

  private static boolean matches(String name, String plural, String subresource) {
    int slash = name.indexOf('/');
    String resource = slash < 0 ? name : name.substring(0, slash);
    String below = slash < 0 ? "" : name.substring(slash + 1);
    return (resource.equals(ANY) || resource.equals(plural))
        && (below.equals(ANY) || below.equals(subresource));
  }
}
