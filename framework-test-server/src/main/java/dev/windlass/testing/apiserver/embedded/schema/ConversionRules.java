// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldChecks;
import dev.windlass.testing.apiserver.embedded.webhooks.ClientConfigRules;

/** The validation rules for {@code spec.conversion} of a CustomResourceDefinition. */
final class ConversionRules {
  private static final String CLIENT = "webhookClientConfig";
  private static final String VERSIONS = "conversionReviewVersions";

  private ConversionRules() {}

  static void validate(FieldChecks conversion) {
    conversion.require("strategy");
    if (!conversion.text("strategy").isEmpty()) {
      conversion.oneOf("strategy", "None", "Webhook");
    }
    // A real server names the fields as v1beta1 did, in which the webhook's are not nested.
    JsonNode webhook = conversion.object().path("webhook");
    JsonNode versions = webhook.path(VERSIONS);
    if (!conversion.text("strategy").equals("Webhook")) {
      String why = "should not be set when strategy is not set to Webhook";
      conversion.forbid(webhook.hasNonNull("clientConfig"), CLIENT, why);
      conversion.forbid(!versions.isEmpty(), VERSIONS, why);
      return;
    }
    FieldChecks flat =
        new FieldChecks(webhook, conversion.path(), conversion.errors()).require(VERSIONS);
    if (webhook.hasNonNull("clientConfig")) {
      ClientConfigRules.validate(
          new FieldChecks(webhook.path("clientConfig"), flat.path() + "." + CLIENT, flat.errors()));
    } else {
      flat.require(CLIENT);
    }
    boolean known = versions.isEmpty();
    for (JsonNode version : versions) {
      known |= version.asText().equals("v1") || version.asText().equals("v1beta1");
    }
    flat.check(known, VERSIONS, "must include v1 or v1beta1");
  }
}
