// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.admission.WriteAttributes.Operation;
import dev.windlass.testing.apiserver.embedded.cel.MatchConditions;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.types.BuiltInTypes;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.util.List;
import java.util.Optional;

/**
 * Determines which webhooks are called for a write, and which version of the resource each webhook
 * reviews.
 */
final class WebhookSelection {
  private final Store store;
  private final List<ResourceType> otherVersions;

  /**
   * Creates a selection for writes to one version of a resource.
   *
   * @param otherVersions the other versions of the resource
   */
  WebhookSelection(Store store, List<ResourceType> otherVersions) {
    this.store = store;
    this.otherVersions = otherVersions;
  }

  /**
   * Returns the version of the resource that a webhook reviews, or empty if the webhook is not
   * called for the write.
   *
   * @throws StatusException 404 if the namespace does not exist, or 403 if a match condition cannot
   *     be evaluated and the webhook does not ignore failures
   */
  Optional<ResourceType> version(AdmissionWebhook webhook, WriteAttributes write) {
    Optional<ResourceType> version = versionByRules(webhook, write);
    return version.isPresent()
            && webhook.selects(write.old(), write.object())
            && isInSelectedNamespace(webhook, write)
            && meetsConditions(webhook, version.get(), write)
        ? version
        : Optional.empty();
  }

  private static boolean meetsConditions(
      AdmissionWebhook webhook, ResourceType version, WriteAttributes write) {
    MatchConditions conditions = webhook.conditions();
    if (conditions == MatchConditions.NONE) {
      return true;
    }
    MatchConditions.Outcome outcome =
        conditions.evaluate(AdmissionReviews.request(write.in(version), write.type()));
    if (!outcome.errors().isEmpty() && !webhook.ignoresFailures()) {
      List<String> errors = outcome.errors();
      String why = errors.size() == 1 ? errors.get(0) : "[" + String.join(", ", errors) + "]";
      throw StatusException.forbidden(write.type().resource(), write.name(), why);
    }
    return outcome.matches();
  }

  private Optional<ResourceType> versionByRules(AdmissionWebhook webhook, WriteAttributes write) {
    Operation operation = write.operation();
    for (WebhookRule rule : webhook.rules()) {
      if (rule.matches(operation, write.type(), write.subresource())) {
        return Optional.of(write.type());
      }
    }
    if (webhook.equivalent()) {
      for (WebhookRule rule : webhook.rules()) {
        for (ResourceType other : otherVersions) {
          if (rule.matches(operation, other, write.subresource())) {
            return Optional.of(other);
          }
        }
      }
    }
    return Optional.empty();
  }

  private boolean isInSelectedNamespace(AdmissionWebhook webhook, WriteAttributes write) {
    return write.namespace().isEmpty()
        || webhook.namespaces().isEmpty()
        || webhook.namespaces().matches(namespaceLabels(write));
  }

  private JsonNode namespaceLabels(WriteAttributes write) {
    if (write.isOfNamespace()
        && write.subresource().isEmpty()
        && write.operation() != Operation.DELETE) {
      return Meta.of(write.object()).json().path("labels");
    }
    try (Store.Transaction tx = store.begin()) {
      ObjectNode namespace = tx.get(BuiltInTypes.NAMESPACES, new ObjectKey("", write.namespace()));
      if (namespace == null) {
        throw StatusException.notFound(BuiltInTypes.NAMESPACES, write.namespace());
      }
      return Meta.of(namespace).json().path("labels");
    }
  }
}
