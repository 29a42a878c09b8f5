// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldChecks;
import java.util.List;

/** The validation rules for Roles, PodDisruptionBudgets, Ingresses and Leases. */
final class PolicyRules {

  private PolicyRules() {}

  static void ofRole(FieldChecks role) {
    for (FieldChecks rule : role.each("rules")) {
      rule.require("verbs");
      if (rule.object().path("nonResourceURLs").isEmpty()) {
        rule.require("apiGroups", "resources");
      } else {
        rule.check(false, "nonResourceURLs", "a Role cannot apply to non-resource URLs");
      }
    }
  }

  static void ofBudget(FieldChecks budget) {
    FieldChecks spec = budget.in("spec").atLeast(0, "minAvailable", "maxUnavailable");
    budget.check(
        !(spec.object().has("minAvailable") && spec.object().has("maxUnavailable")),
        "spec",
        "minAvailable and maxUnavailable cannot be both set");
    for (String field : List.of("minAvailable", "maxUnavailable")) {
      JsonNode value = spec.object().path(field);
      spec.check(
          !value.isTextual() || value.asText().matches("[0-9]+%"),
          field,
          "must be a number, or one followed by '%'");
    }
  }

  static void ofIngress(FieldChecks ingress) {
    FieldChecks spec = ingress.in("spec");
    ingress.check(
        !spec.object().path("rules").isEmpty() || spec.object().has("defaultBackend"),
        "spec",
        "either `defaultBackend` or `rules` must be specified");
    for (FieldChecks rule : spec.each("rules")) {
      for (FieldChecks path : rule.in("http").each("paths")) {
        if (!path.has("pathType")) {
          path.require("pathType");
        }
      }
    }
  }

  static void ofLease(FieldChecks lease) {
    lease.in("spec").atLeast(1, "leaseDurationSeconds").atLeast(0, "leaseTransitions");
  }
}
