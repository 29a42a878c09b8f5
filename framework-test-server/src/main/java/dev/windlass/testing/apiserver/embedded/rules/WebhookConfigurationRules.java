// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.cel.MatchConditions;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.LabelSyntax;
import dev.windlass.testing.apiserver.embedded.webhooks.ClientConfigRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The validation rules for MutatingWebhookConfigurations and ValidatingWebhookConfigurations. */
final class WebhookConfigurationRules {
  private static final List<String> SIDE_EFFECTS = List.of("None", "NoneOnDryRun");
  private static final List<String> REVIEW_VERSIONS = List.of("v1", "v1beta1");
  private static final int LONGEST_TIMEOUT = 30;
  private static final int SEGMENTS = 3;

  private final List<FieldError> errors = new ArrayList<>();

  private WebhookConfigurationRules() {}

  /** Validates a configuration and returns the errors. */
  static List<FieldError> validate(ObjectNode configuration) {
    WebhookConfigurationRules rules = new WebhookConfigurationRules();
    Set<String> names = new HashSet<>();
    int index = 0;
    for (JsonNode webhook : configuration.path("webhooks")) {
      String path = "webhooks[" + index++ + "]";
      rules.check(path, webhook);
      String name = webhook.path("name").asText("");
      if (!name.isEmpty() && !names.add(name)) {
        rules.errors.add(FieldError.duplicate(path + ".name", FieldError.quoted(name)));
      }
    }
    return rules.errors;
  }

  private void check(String path, JsonNode webhook) {
    checkName(path + ".name", webhook.path("name").asText(""));
    int index = 0;
    for (JsonNode rule : webhook.path("rules")) {
      new WebhookRuleRules(errors).check(path + ".rules[" + index++ + "]", rule);
    }
    checkOneOf(path + ".failurePolicy", webhook.path("failurePolicy"), "Fail", "Ignore");
    checkOneOf(path + ".matchPolicy", webhook.path("matchPolicy"), "Equivalent", "Exact");
    checkSideEffects(path + ".sideEffects", webhook.path("sideEffects"));
    checkOneOf(
        path + ".reinvocationPolicy", webhook.path("reinvocationPolicy"), "IfNeeded", "Never");
    int timeout = webhook.path("timeoutSeconds").asInt();
    if (timeout < 1 || timeout > LONGEST_TIMEOUT) {
      errors.add(
          FieldError.invalid(
              path + ".timeoutSeconds",
              Integer.toString(timeout),
              "the timeout value must be between 1 and 30 seconds"));
    }
    errors.addAll(ClientConfigRules.validate(path + ".clientConfig", webhook.path("clientConfig")));
    errors.addAll(
        MatchConditions.errors(path + ".matchConditions", webhook.path("matchConditions")));
    checkReviewVersions(path + ".admissionReviewVersions", webhook.path("admissionReviewVersions"));
  }

  private void checkName(String path, String name) {
    if (name.isEmpty()) {
      errors.add(FieldError.required(path, ""));
    } else if (!LabelSyntax.isSubdomain(name)) {
      errors.add(FieldError.invalid(path, FieldError.quoted(name), LabelSyntax.SUBDOMAIN_RULE));
    } else if (name.split("\\.", -1).length < SEGMENTS) {
      errors.add(
          FieldError.invalid(
              path,
              FieldError.quoted(name),
              "should be a domain with at least three segments separated by dots"));
    }
  }

  private void checkSideEffects(String path, JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      String why = "must specify one of " + String.join(", ", SIDE_EFFECTS);
      errors.add(FieldError.required(path, why));
    } else {
      checkOneOf(path, value, SIDE_EFFECTS.toArray(String[]::new));
    }
  }

  private void checkOneOf(String path, JsonNode value, String... allowed) {
    if (value.isTextual() && !List.of(allowed).contains(value.asText())) {
      errors.add(FieldError.unsupported(path, FieldError.quoted(value.asText()), List.of(allowed)));
    }
  }

  private void checkReviewVersions(String path, JsonNode versions) {
    String accepted = String.join(", ", REVIEW_VERSIONS);
    if (versions.isEmpty()) {
      errors.add(FieldError.required(path, "must specify one of " + accepted));
      return;
    }
    boolean known = false;
    for (JsonNode version : versions) {
      known |= REVIEW_VERSIONS.contains(version.asText());
    }
    if (!known) {
      errors.add(FieldError.invalid(path, versions, "must include at least one of " + accepted));
    }
  }
}
