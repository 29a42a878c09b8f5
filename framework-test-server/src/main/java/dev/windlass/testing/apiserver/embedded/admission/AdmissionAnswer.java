// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.webhooks.WebhookCallException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * The response of an admission webhook. It is checked in the same way as in the real server's
 * {@code admissionreview.go}.
 *
 * @param allowed whether the webhook allows the write
 * @param result the Status with the reason for a denial; an empty object if there is none
 * @param patch the JSON patch operations; empty if the webhook changes nothing
 * @param warnings the warnings for the client
 */
record AdmissionAnswer(boolean allowed, ObjectNode result, JsonNode patch, List<String> warnings) {
  private static final int BAD_REQUEST = 400;

  /**
   * Reads the response to a review.
   *
   * @param uid the uid of the review
   * @throws WebhookCallException if the response is invalid
   */
  static AdmissionAnswer of(
      AdmissionReviewVersion version, String uid, ObjectNode review, boolean mutating)
      throws WebhookCallException {
    JsonNode response = review.path("response");
    if (!response.isObject()) {
      throw new WebhookCallException("webhook response was absent");
    }
    if (version == AdmissionReviewVersion.V1) {
      checkIdentity(version, uid, review, response);
      checkPatch(response, mutating);
    }
    List<String> warnings = new ArrayList<>();
    response.path("warnings").forEach(warning -> warnings.add(warning.asText()));
    return new AdmissionAnswer(
        response.path("allowed").asBoolean(),
        response.get("status") instanceof ObjectNode status ? status : Json.object(),
        mutating ? patch(response.path("patch").asText("")) : Json.object().arrayNode(),
        warnings);
  }

  private static void checkIdentity(
      AdmissionReviewVersion version, String uid, ObjectNode review, JsonNode response)
      throws WebhookCallException {
    String answered = response.path("uid").asText("");
    if (!answered.equals(uid)) {
      throw new WebhookCallException(
          "expected response.uid=\"%s\", got \"%s\"".formatted(uid, answered));
    }
    String kind = review.path("kind").asText("");
    String apiVersion = review.path("apiVersion").asText("");
    if (!kind.equals("AdmissionReview") || !apiVersion.equals(version.apiVersion())) {
      String shown = apiVersion.contains("/") ? apiVersion : "/" + apiVersion;
      throw new WebhookCallException(
          "expected webhook response of %s, Kind=AdmissionReview, got %s, Kind=%s"
              .formatted(version.apiVersion(), shown, kind));
    }
  }

  private static void checkPatch(JsonNode response, boolean mutating) throws WebhookCallException {
    boolean patch = !response.path("patch").asText("").isEmpty();
    boolean type = response.hasNonNull("patchType");
    if (!mutating && (patch || type)) {
      throw new WebhookCallException(
          "validating webhook may not return response." + (patch ? "patch" : "patchType"));
    }
    if (patch != type) {
      throw new WebhookCallException(
          patch
              ? "webhook returned response.patch but not response.patchType"
              : "webhook returned response.patchType but not response.patch");
    }
    String name = response.path("patchType").asText("");
    if (type && name.isEmpty()) {
      throw new WebhookCallException("webhook returned invalid response.patchType of \"\"");
    }
    if (type && !name.equals("JSONPatch")) {
      throw new WebhookCallException("unsupported patch type \"" + name + '"');
    }
  }

  private static JsonNode patch(String base64) throws WebhookCallException {
    if (base64.isEmpty()) {
      return Json.object().arrayNode();
    }
    try {
      JsonNode patch = Json.parse(Base64.getDecoder().decode(base64));
      if (patch.isArray()) {
        return patch;
      }
    } catch (IllegalArgumentException | StatusException e) {
      throw new WebhookCallException("received undecodable patch in webhook response: " + e);
    }
    throw new WebhookCallException(
        "received undecodable patch in webhook response: it is not a list");
  }

  /** Returns the rejection for the client. */
  StatusException denial(String webhook) {
    String denied = "admission webhook \"%s\" denied the request".formatted(webhook);
    String message = result.path("message").asText("");
    String reason = result.path("reason").asText("");
    String explanation =
        !message.isEmpty()
            ? ": " + message
            : !reason.isEmpty() ? ": " + reason : " without explanation";
    int code = Math.max(result.path("code").asInt(), BAD_REQUEST);
    StatusException denial = StatusException.of(code, reason, denied + explanation);
    if (result.get("details") instanceof ObjectNode details) {
      denial.status().set("details", details);
    }
    return denial;
  }
}
