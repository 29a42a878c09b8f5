// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.cel.MatchConditions;
import dev.windlass.testing.apiserver.embedded.objects.FieldChecks;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.LabelSyntax;
import dev.windlass.testing.apiserver.embedded.webhooks.ClientConfigRules;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The validation rules for webhook configurations, as in {@code validation.go} of the API group
 * admissionregistration.k8s.io.
 */
final class WebhookConfigurationRules {
  private static final String ANY = "*";
  private static final List<String> OPERATIONS =
      List.of(ANY, "CONNECT", "CREATE", "DELETE", "UPDATE");
  private static final int LONGEST_TIMEOUT = 30;
  private static final int SEGMENTS = 3;

  private WebhookConfigurationRules() {}

  static void validate(FieldChecks configuration) {
    configuration.each("webhooks").forEach(WebhookConfigurationRules::check);
    configuration.unique("webhooks", "name");
  }

  private static void check(FieldChecks webhook) {
    webhook.require("name", "admissionReviewVersions");
    if (!webhook.has("sideEffects")) {
      webhook.require("sideEffects");
    }
    String name = webhook.text("name");
    if (!name.isEmpty()) {
      boolean valid = LabelSyntax.isSubdomain(name) && name.split("\\.", -1).length >= SEGMENTS;
      webhook.check(valid, "name", "must be a domain with at least three segments");
    }
    webhook.each("rules").forEach(WebhookConfigurationRules::checkRule);
    webhook
        .oneOf("failurePolicy", "Fail", "Ignore")
        .oneOf("matchPolicy", "Equivalent", "Exact")
        .oneOf("sideEffects", "None", "NoneOnDryRun")
        .oneOf("reinvocationPolicy", "IfNeeded", "Never");
    int timeout = webhook.object().path("timeoutSeconds").asInt();
    webhook.check(
        timeout >= 1 && timeout <= LONGEST_TIMEOUT,
        "timeoutSeconds",
        "must be between 1 and 30 seconds");
    ClientConfigRules.validate(webhook.in("clientConfig"));
    MatchConditions.validate(webhook);
    Set<String> versions = texts(webhook.object().path("admissionReviewVersions"));
    webhook.check(
        versions.isEmpty() || versions.contains("v1") || versions.contains("v1beta1"),
        "admissionReviewVersions",
        "must include v1 or v1beta1");
  }

  private static void checkRule(FieldChecks rule) {
    rule.require("operations", "apiGroups", "apiVersions", "resources");
    for (FieldChecks operation : rule.each("operations")) {
      if (!OPERATIONS.contains(operation.object().asText())) {
        rule.errors().add(FieldError.unsupported(operation.path(), operation.object(), OPERATIONS));
      }
    }
    for (String field : List.of("operations", "apiGroups", "apiVersions")) {
      checkAlone(rule, field, ANY);
    }
    for (String field : List.of("apiVersions", "resources")) {
      for (FieldChecks item : rule.each(field)) {
        if (item.object().asText().isEmpty()) {
          rule.errors().add(FieldError.required(item.path()));
        }
      }
    }
    checkAlone(rule, "resources", "*/*");
    Set<String> resources = texts(rule.object().path("resources"));
    boolean whole =
        resources.stream()
            .anyMatch(name -> !name.contains("/") && !name.equals(ANY) && !name.isEmpty());
    rule.check(
        !(whole && resources.contains(ANY)),
        "resources",
        "if '*' is present, must not specify other resources without subresources");
    rule.oneOf("scope", ANY, "Cluster", "Namespaced");
  }

  private static void checkAlone(FieldChecks rule, String field, String any) {
    JsonNode list = rule.object().path(field);
    rule.check(
        list.size() <= 1 || !texts(list).contains(any),
        field,
        "if '" + any + "' is present, must not specify others");
  }

  private static Set<String> texts(JsonNode list) {
    Set<String> texts = new HashSet<>();
    list.forEach(item -> texts.add(item.asText()));
    return texts;
  }
}
