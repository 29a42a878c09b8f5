// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.webhooks.ClientConfigRules;
import java.util.ArrayList;
import java.util.List;

/** The validation rules for {@code spec.conversion} of a CustomResourceDefinition. */
final class ConversionRules {
  private static final String PATH = "spec.conversion";
  private static final String CLIENT = PATH + ".webhookClientConfig";
  private static final String VERSIONS = PATH + ".conversionReviewVersions";
  private static final List<String> STRATEGIES = List.of("None", "Webhook");
  private static final List<String> REVIEW_VERSIONS = List.of("v1", "v1beta1");

  private ConversionRules() {}

  static List<FieldError> validate(JsonNode conversion) {
    List<FieldError> errors = new ArrayList<>();
    String strategy = conversion.path("strategy").asText("");
    JsonNode webhook = conversion.path("webhook");
    if (strategy.isEmpty()) {
      errors.add(FieldError.required(PATH + ".strategy", ""));
    } else if (!STRATEGIES.contains(strategy)) {
      errors.add(
          FieldError.unsupported(PATH + ".strategy", FieldError.quoted(strategy), STRATEGIES));
    }
    if (!strategy.equals("Webhook")) {
      String why = "should not be set when strategy is not set to Webhook";
      if (webhook.hasNonNull("clientConfig")) {
        errors.add(FieldError.forbidden(CLIENT, why));
      }
      if (!webhook.path("conversionReviewVersions").isEmpty()) {
        errors.add(FieldError.forbidden(VERSIONS, why));
      }
      return errors;
    }
    if (webhook.hasNonNull("clientConfig")) {
      errors.addAll(ClientConfigRules.validate(CLIENT, webhook.path("clientConfig")));
    } else {
      errors.add(FieldError.required(CLIENT, "required when strategy is set to Webhook"));
    }
    errors.addAll(reviewVersions(webhook.path("conversionReviewVersions")));
    return errors;
  }

  private static List<FieldError> reviewVersions(JsonNode versions) {
    String accepted = String.join(", ", REVIEW_VERSIONS);
    if (versions.isEmpty()) {
      return List.of(FieldError.required(VERSIONS, ""));
    }
    for (JsonNode version : versions) {
      if (REVIEW_VERSIONS.contains(version.asText())) {
        return List.of();
      }
    }
    return List.of(
        FieldError.invalid(VERSIONS, versions, "must include at least one of " + accepted));
  }
}
