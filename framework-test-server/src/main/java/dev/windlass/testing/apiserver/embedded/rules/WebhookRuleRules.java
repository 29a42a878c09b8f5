// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import java.util.List;

/**
 * Validates the rules of an admission webhook, which select the requests that the webhook reviews.
 */
final class WebhookRuleRules {
  private static final String ANY = "*";
  private static final List<String> OPERATIONS =
      List.of(ANY, "CONNECT", "CREATE", "DELETE", "UPDATE");
  private static final List<String> SCOPES = List.of(ANY, "Cluster", "Namespaced");

  private final List<FieldError> errors;

  /** Creates an instance that adds errors to the given list. */
  WebhookRuleRules(List<FieldError> errors) {
    this.errors = errors;
  }

  void check(String path, JsonNode rule) {
    checkList(path, rule, "operations", "operations");
    int index = 0;
    for (JsonNode operation : rule.path("operations")) {
      String at = path + ".operations[" + index++ + "]";
      if (!OPERATIONS.contains(operation.asText())) {
        errors.add(FieldError.unsupported(at, operation.toString(), OPERATIONS));
      }
    }
    checkList(path, rule, "apiGroups", "API groups");
    checkList(path, rule, "apiVersions", "API versions");
    checkNonEmpty(path + ".apiVersions", rule.path("apiVersions"));
    checkResources(path + ".resources", rule.path("resources"));
    String scope = rule.path("scope").asText(ANY);
    if (!SCOPES.contains(scope)) {
      errors.add(FieldError.unsupported(path + ".scope", FieldError.quoted(scope), SCOPES));
    }
  }

  private void checkList(String path, JsonNode rule, String field, String what) {
    JsonNode list = rule.path(field);
    if (list.isEmpty()) {
      errors.add(FieldError.required(path + "." + field, ""));
    } else if (list.size() > 1 && contains(list, ANY)) {
      errors.add(
          FieldError.invalid(
              path + "." + field, list, "if '*' is present, must not specify other " + what));
    }
  }

  private void checkNonEmpty(String path, JsonNode list) {
    int index = 0;
    for (JsonNode item : list) {
      if (item.asText().isEmpty()) {
        errors.add(FieldError.required(path + "[" + index + "]", ""));
      }
      index++;
    }
  }

  private void checkResources(String path, JsonNode resources) {
    if (resources.isEmpty()) {
      errors.add(FieldError.required(path, ""));
    }
    checkNonEmpty(path, resources);
    if (resources.size() > 1 && contains(resources, "*/*")) {
      errors.add(
          FieldError.invalid(
              path, resources, "if '*/*' is present, must not specify other resources"));
    }
    boolean whole = false;
    for (JsonNode resource : resources) {
      String name = resource.asText();
      whole |= !name.contains("/") && !name.equals(ANY) && !name.isEmpty();
    }
    if (whole && contains(resources, ANY)) {
      errors.add(
          FieldError.invalid(
              path,
              resources,
              "if '*' is present, must not specify other resources without subresources"));
    }
  }

  private static boolean contains(JsonNode list, String text) {
    for (JsonNode item : list) {
      if (item.asText().equals(text)) {
        return true;
      }
    }
    return false;
  }
}
