// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import java.util.ArrayList;
import java.util.List;

/** The validation rules for Roles, PodDisruptionBudgets, Ingresses and Leases. */
final class PolicyRules {
  private PolicyRules() {}

  static List<FieldError> ofRole(ObjectNode role) {
    List<FieldError> errors = new ArrayList<>();
    int index = 0;
    for (JsonNode rule : role.path("rules")) {
      String path = "rules[" + index++ + "].";
      if (rule.path("verbs").isEmpty()) {
        errors.add(FieldError.required(path + "verbs", "verbs must contain at least one value"));
      }
      JsonNode urls = rule.path("nonResourceURLs");
      if (!urls.isEmpty()) {
        errors.add(
            FieldError.invalid(
                path + "nonResourceURLs",
                urls,
                "namespaced rules cannot apply to non-resource URLs"));
      } else {
        if (rule.path("apiGroups").isEmpty()) {
          errors.add(
              FieldError.required(
                  path + "apiGroups", "resource rules must supply at least one api group"));
        }
        if (rule.path("resources").isEmpty()) {
          errors.add(
              FieldError.required(
                  path + "resources", "resource rules must supply at least one resource"));
        }
      }
    }
    return errors;
  }

  static List<FieldError> ofBudget(ObjectNode budget) {
    List<FieldError> errors = new ArrayList<>();
    JsonNode spec = budget.path("spec");
    if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
      errors.add(
          FieldError.invalid("spec", spec, "minAvailable and maxUnavailable cannot be both set"));
    }
    for (String field : List.of("minAvailable", "maxUnavailable")) {
      JsonNode value = spec.path(field);
      if (value.isTextual() && !value.asText().matches("[0-9]+%")) {
        errors.add(
            FieldError.invalid(
                "spec." + field,
                value,
                "a valid percent string must be a numeric string followed by an ending '%' (e.g."
                    + " '1%',  or '93%', regex used for validation is '[0-9]+%')"));
      }
      Numbers.notNegative(spec, "spec", field, errors);
    }
    return errors;
  }

  static List<FieldError> ofIngress(ObjectNode ingress) {
    List<FieldError> errors = new ArrayList<>();
    JsonNode spec = ingress.path("spec");
    if (spec.path("rules").isEmpty() && !spec.has("defaultBackend")) {
      errors.add(
          FieldError.invalid(
              "spec", "null", "either `defaultBackend` or `rules` must be specified"));
    }
    for (int i = 0; i < spec.path("rules").size(); i++) {
      JsonNode paths = spec.path("rules").path(i).path("http").path("paths");
      for (int j = 0; j < paths.size(); j++) {
        if (!paths.path(j).has("pathType")) {
          errors.add(
              FieldError.required(
                  "spec.rules[%d].http.paths[%d].pathType".formatted(i, j),
                  "pathType must be specified"));
        }
      }
    }
    return errors;
  }

  static List<FieldError> ofLease(ObjectNode lease) {
    List<FieldError> errors = new ArrayList<>();
    JsonNode duration = lease.path("spec").path("leaseDurationSeconds");
    if (duration.isNumber() && duration.asLong() <= 0) {
      errors.add(
          FieldError.invalid("spec.leaseDurationSeconds", duration, "must be greater than 0"));
    }
    Numbers.notNegative(lease.path("spec"), "spec", "leaseTransitions", errors);
    return errors;
  }
}
