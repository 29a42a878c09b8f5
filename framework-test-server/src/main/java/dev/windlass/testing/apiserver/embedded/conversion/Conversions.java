// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.schema.VersionConversion;
import dev.windlass.testing.apiserver.embedded.webhooks.WebhookClient;
import dev.windlass.testing.apiserver.embedded.webhooks.WebhookTarget;

/** Creates the conversion that a CustomResourceDefinition specifies. */
public final class Conversions {
  private final WebhookClient webhooks;

  public Conversions(WebhookClient webhooks) {
    this.webhooks = webhooks;
  }

  /** Returns the conversion that {@code crd} specifies. */
  public VersionConversion of(ObjectNode crd) {
    JsonNode conversion = crd.path("spec").path("conversion");
    return conversion.path("strategy").asText().equals("Webhook")
        ? new WebhookConversion(
            webhooks,
            WebhookTarget.of(conversion.path("webhook").path("clientConfig")),
            ReviewVersion.firstOf(conversion.path("webhook").path("conversionReviewVersions")))
        : VersionConversion.NONE;
  }
}
