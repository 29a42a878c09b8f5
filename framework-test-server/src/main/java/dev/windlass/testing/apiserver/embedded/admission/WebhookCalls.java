// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.patch.PatchFormat;
import dev.windlass.testing.apiserver.embedded.rules.KindRules;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.webhooks.WebhookCallException;
import dev.windlass.testing.apiserver.embedded.webhooks.WebhookClient;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls webhooks for the writes of one request, and interprets their responses. */
final class WebhookCalls {
  private static final Logger log = LoggerFactory.getLogger(WebhookCalls.class);

  private final WebhookClient client;
  private final Consumer<String> warnings;

  WebhookCalls(WebhookClient client, Consumer<String> warnings) {
    this.client = client;
    this.warnings = warnings;
  }

  /**
   * Calls a mutating webhook, and returns the resulting object. Returns the object unchanged if the
   * call fails and the webhook's failure policy is to ignore failures.
   *
   * @param version the version of the resource that the webhook reviews
   * @throws StatusException if the webhook denies the write, or if the call fails and the failure
   *     is not ignored
   */
  ObjectNode mutate(AdmissionWebhook webhook, ResourceType version, WriteAttributes write) {
    AdmissionAnswer answer;
    WriteAttributes shown = write.in(version);
    JsonNode patch;
    try {
      answer = answer(webhook, shown, write.type(), true);
      patch = answer.patch();
    } catch (WebhookCallException e) {
      ignore(webhook, e);
      return write.object();
    }
    if (!answer.allowed()) {
      throw answer.denial(webhook.name());
    }
    if (patch.isEmpty()) {
      return write.object();
    }
    if (write.object().isEmpty()) {
      throw StatusException.internal(
          "admission webhook \"%s\" attempted to modify the object, which is not supported for this operation"
              .formatted(webhook.name()));
    }
    ObjectNode patched;
    try {
      patched = PatchFormat.JSON.apply(shown.object(), patch, Json.object());
    } catch (StatusException e) {
      throw StatusException.internal(String.valueOf(e.getMessage()));
    }
    if (write.subresource().equals("scale")) {
      return patched;
    }
    ObjectNode completed = version.present(new KindRules(version).decode(patched));
    return WriteAttributes.converted(completed, write.type());
  }

  /**
   * Calls a validating webhook, and returns the exception that rejects the write, or empty if the
   * write can continue.
   *
   * @param version the version of the resource that the webhook reviews
   */
  Optional<StatusException> validate(
      AdmissionWebhook webhook, ResourceType version, WriteAttributes write) {
    try {
      AdmissionAnswer answer = answer(webhook, write.in(version), write.type(), false);
      return answer.allowed() ? Optional.empty() : Optional.of(answer.denial(webhook.name()));
    } catch (WebhookCallException e) {
      ignore(webhook, e);
      return Optional.empty();
    } catch (StatusException e) {
      return Optional.of(e);
    }
  }

  private AdmissionAnswer answer(
      AdmissionWebhook webhook, WriteAttributes shown, ResourceType requested, boolean mutating)
      throws WebhookCallException {
    if (shown.dryRun() && !webhook.dryRunnable()) {
      throw StatusException.badRequest(
          "admission webhook \"%s\" does not support dry run".formatted(webhook.name()));
    }
    String uid = UUID.randomUUID().toString();
    ObjectNode review = AdmissionReviews.of(webhook.reviewVersion(), uid, shown, requested);
    ObjectNode response;
    try {
      response = client.post(webhook.target(), review, webhook.timeout());
    } catch (WebhookCallException e) {
      throw failure(webhook, "failed to call webhook: " + e.getMessage(), e);
    }
    AdmissionAnswer answer;
    try {
      answer = AdmissionAnswer.of(webhook.reviewVersion(), uid, response, mutating);
    } catch (WebhookCallException e) {
      throw failure(webhook, "received invalid webhook response: " + e.getMessage(), e);
    }
    answer.warnings().forEach(warnings);
    return answer;
  }

  /**
   * Returns {@code cause} if the webhook's failure policy is to ignore failures. Otherwise, throws
   * the exception that rejects the request.
   */
  private static WebhookCallException failure(
      AdmissionWebhook webhook, String why, WebhookCallException cause) {
    if (webhook.ignoresFailures()) {
      return cause;
    }
    throw StatusException.internal(
        "failed calling webhook \"%s\": %s".formatted(webhook.name(), why));
  }

  private static void ignore(AdmissionWebhook webhook, WebhookCallException failure) {
    log.warn(
        "Failed to call webhook {}: {}; continuing without it, because of its failurePolicy",
        webhook.name(),
        failure.getMessage());
  }
}
