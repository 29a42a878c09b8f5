// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.selectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.types.EventConversion;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A field selector. An object matches if it meets all requirements. Without requirements, all
 * objects match.
 */
record FieldSelector(List<Requirement> requirements) {
  private static final Pattern REQUIREMENT =
      Pattern.compile("(?<field>[^!=]*?)(?<op>!=|==|=)(?<value>.*)");
  private static final Set<String> EVERYWHERE = Set.of("metadata.name", "metadata.namespace");

  /**
   * The fields that each resource supports in addition to {@link #EVERYWHERE}, as in
   * kube-apiserver's registries.
   */
  private static final Map<String, Set<String>> BY_RESOURCE =
      Map.of(
          "services",
          Set.of("spec.clusterIP", "spec.type"),
          "replicationcontrollers",
          Set.of("status.replicas"),
          "replicasets.apps",
          Set.of("status.replicas"),
          "pods",
          Set.of("spec.nodeName", "spec.restartPolicy", "spec.serviceAccountName", "status.phase"),
          "events",
          Set.of(
              "involvedObject.kind",
              "involvedObject.namespace",
              "involvedObject.name",
              "involvedObject.uid",
              "involvedObject.apiVersion",
              "involvedObject.resourceVersion",
              "involvedObject.fieldPath",
              "reason",
              "reportingComponent",
              "type"),
          "namespaces",
          Set.of("status.phase"),
          "nodes",
          Set.of("spec.unschedulable"),
          "secrets",
          Set.of("type"),
          "jobs.batch",
          Set.of("status.successful"));

  FieldSelector {
    requirements = List.copyOf(requirements);
  }

  /** A requirement for one field. An absent field is treated as an empty string. */
  private record Requirement(String asked, String field, boolean equal, String value) {

    boolean matches(ObjectNode object) {
      JsonNode node = object;
      for (String step : field.split("\\.", -1)) {
        node = node.path(step);
      }
      return node.asText().equals(value) == equal;
    }
  }

  /**
   * Parses the value of the query parameter {@code fieldSelector}. Rejects invalid syntax with 400,
   * but does not {@linkplain #check check} whether the resource supports the fields.
   */
  static FieldSelector parse(ResourceType type, String text) {
    GroupResource resource = type.resource();
    List<Requirement> requirements = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      if (part.isBlank()) {
        continue;
      }
      Matcher matcher = REQUIREMENT.matcher(part.trim());
      if (!matcher.matches()) {
        throw StatusException.badRequest(
            "invalid selector: '%s'; can't understand '%s'".formatted(text, part));
      }
      String asked = matcher.group("field");
      boolean renamed = resource.equals(EventConversion.NEWER);
      String field = renamed ? EventConversion.storedField(asked) : asked;
      boolean equal = !matcher.group("op").equals("!=");
      requirements.add(new Requirement(asked, field, equal, matcher.group("value")));
    }
    return new FieldSelector(requirements);
  }

  /**
   * Checks that the resource supports all fields in this selector.
   *
   * @throws StatusException 400 if the resource does not support one of them
   */
  void check(ResourceType type) {
    String stored = type.storage().toString();
    Set<String> own = BY_RESOURCE.getOrDefault(stored, Set.of());
    for (Requirement requirement : requirements) {
      if (!EVERYWHERE.contains(requirement.field()) && !own.contains(requirement.field())) {
        throw StatusException.badRequest(
            own.isEmpty() && !type.custom()
                ? "\"%s\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
                    .formatted(requirement.asked())
                : "field label not supported: " + requirement.asked());
      }
    }
  }

  boolean matches(ObjectNode object) {
    return requirements.stream().allMatch(requirement -> requirement.matches(object));
  }
}
