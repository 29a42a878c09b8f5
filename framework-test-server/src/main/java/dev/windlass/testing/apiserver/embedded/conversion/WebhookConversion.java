// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.schema.VersionConversion;
import dev.windlass.testing.apiserver.embedded.webhooks.WebhookCallException;
import dev.windlass.testing.apiserver.embedded.webhooks.WebhookClient;
import dev.windlass.testing.apiserver.embedded.webhooks.WebhookTarget;
import java.time.Duration;
import java.util.UUID;

/**
 * Implements the conversion strategy {@code Webhook}. Sends each object to the webhook in a
 * ConversionReview, and checks the response as the real server's {@code webhook_converter.go} does.
 */
final class WebhookConversion implements VersionConversion {
  /** The time-out of a conversion request. As in the real server, a CRD cannot change it. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final WebhookClient webhooks;
  private final WebhookTarget target;
  private final ReviewVersion version;

  WebhookConversion(WebhookClient webhooks, WebhookTarget target, ReviewVersion version) {
    this.webhooks = webhooks;
    this.target = target;
    this.version = version;
  }

  @Override
  public boolean isRemote() {
    return true;
  }

  @Override
  public ObjectNode convert(ObjectNode object, String apiVersion) {
    String uid = UUID.randomUUID().toString();
    ObjectNode review = Json.object().put("kind", "ConversionReview");
    review.put("apiVersion", version.apiVersion());
    ObjectNode request = review.putObject("request");
    request.put("uid", uid).put("desiredAPIVersion", apiVersion);
    request.putArray("objects").add(object);
    JsonNode converted;
    try {
      converted = objects(uid, webhooks.post(target, review, TIMEOUT));
    } catch (WebhookCallException e) {
      throw refusal(object, "failed: " + e.getMessage());
    }
    if (converted.size() != 1) {
      throw refusal(object, "returned %d objects, expected 1".formatted(converted.size()));
    }
    ObjectNode result;
    if (converted.get(0) instanceof ObjectNode single && single.hasNonNull("kind")) {
      result = single;
    } else {
      throw StatusException.of(500, "", "Object 'Kind' is missing in '" + converted.get(0) + "'");
    }
    check(object, apiVersion, result);
    return ConvertedMetadata.restored(object, result, why -> refusal(object, why));
  }

  /** Checks the webhook's response and returns the converted objects. */
  private JsonNode objects(String uid, ObjectNode review) throws WebhookCallException {
    boolean checked = version == ReviewVersion.V1;
    if (checked
        && !(review.path("kind").asText().equals("ConversionReview")
            && review.path("apiVersion").asText().equals(version.apiVersion()))) {
      throw new WebhookCallException(
          "expected webhook response of %s, Kind=ConversionReview, got %s"
              .formatted(version.apiVersion(), kind(review)));
    }
    JsonNode response = review.path("response");
    if (!response.isObject()) {
      throw new WebhookCallException("no response provided");
    }
    String answered = response.path("uid").asText("");
    if (checked && !answered.equals(uid)) {
      throw new WebhookCallException(
          "expected response.uid=\"%s\", got \"%s\"".formatted(uid, answered));
    }
    JsonNode result = response.path("result");
    String status = result.path("status").asText("");
    if (!status.equals("Success")) {
      String message = result.path("message").asText("");
      throw new WebhookCallException(
          message.isEmpty()
              ? "response.result.status was '%s', not 'Success'".formatted(status)
              : message);
    }
    return response.path("convertedObjects");
  }

  private static void check(ObjectNode object, String apiVersion, ObjectNode result) {
    String version = result.path("apiVersion").asText("");
    if (!version.equals(apiVersion)) {
      throw refusal(
          object,
          "returned invalid object at index 0: invalid groupVersion (expected %s, received %s)"
              .formatted(apiVersion, version));
    }
    String wanted = object.path("kind").asText();
    String kind = result.path("kind").asText("");
    if (!kind.equals(wanted)) {
      throw refusal(
          object,
          "returned invalid object at index 0: invalid kind (expected %s, received %s)"
              .formatted(wanted, kind));
    }
  }

  private static StatusException refusal(ObjectNode object, String why) {
    return StatusException.of(500, "", "conversion webhook for " + kind(object) + " " + why);
  }

  private static String kind(ObjectNode object) {
    return object.path("apiVersion").asText() + ", Kind=" + object.path("kind").asText();
  }
}
