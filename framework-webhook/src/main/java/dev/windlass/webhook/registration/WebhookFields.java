// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.Operation;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Creates the fields of a webhook in a webhook configuration from the webhook's {@link
 * AdmissionRule}.
 */
final class WebhookFields {

  private WebhookFields() {}

  /**
   * Returns all fields except {@code name}, {@code clientConfig} and {@code
   * admissionReviewVersions}. Fields for which the rule has no setting, such as {@code
   * sideEffects}, have fixed values.
   */
  static Map<String, Object> of(AdmissionWebhook webhook) {
    AdmissionRule<?> rule = webhook.rule();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("rules", List.of(rule(webhook)));
    fields.put("failurePolicy", rule.failurePolicy().value());
    fields.put("matchPolicy", "Equivalent");
    fields.put("namespaceSelector", selector(webhook.namespaces()));
    fields.put("objectSelector", selector(rule.objects()));
    fields.put("sideEffects", "None");
    fields.put("timeoutSeconds", (int) rule.timeout().toSeconds());
    if (webhook.mutating()) {
      fields.put("reinvocationPolicy", rule.isReinvoked() ? "IfNeeded" : "Never");
    }
    if (!rule.conditions().isEmpty()) {
      List<Map<String, Object>> conditions = new ArrayList<>();
      rule.conditions()
          .forEach(
              (name, expression) -> {
                Map<String, Object> each = new LinkedHashMap<>();
                each.put("name", name);
                each.put("expression", expression);
                conditions.add(each);
              });
      fields.put("matchConditions", conditions);
    }
    return fields;
  }

  private static Map<String, Object> rule(AdmissionWebhook webhook) {
    AdmissionRule<?> rule = webhook.rule();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("apiGroups", List.of(rule.type().group()));
    fields.put("apiVersions", List.of(rule.type().version()));
    fields.put("operations", rule.operations().stream().map(Operation::name).toList());
    fields.put("resources", List.of(webhook.resource()));
    fields.put("scope", rule.type().namespaced() ? "Namespaced" : "Cluster");
    return fields;
  }

  /**
   * Returns the fields of a selector. Returns an empty map if there is no selector, because the API
   * server also stores an empty selector in this case.
   */
  private static Map<String, Object> selector(Optional<LabelSelector> selector) {
    Map<String, Object> fields = new LinkedHashMap<>();
    selector.ifPresent(
        given -> {
          if (given.getMatchLabels() != null && !given.getMatchLabels().isEmpty()) {
            fields.put("matchLabels", new TreeMap<>(given.getMatchLabels()));
          }
          if (given.getMatchExpressions() != null && !given.getMatchExpressions().isEmpty()) {
            fields.put(
                "matchExpressions",
                given.getMatchExpressions().stream().map(WebhookFields::requirement).toList());
          }
        });
    return fields;
  }

  private static Map<String, Object> requirement(LabelSelectorRequirement requirement) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("key", requirement.getKey());
    fields.put("operator", requirement.getOperator());
    if (requirement.getValues() != null && !requirement.getValues().isEmpty()) {
      fields.put("values", requirement.getValues());
    }
    return fields;
  }
}
