// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.cel.MatchConditions;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.selectors.LabelSelector;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.webhooks.WebhookTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One webhook of a MutatingWebhookConfiguration or ValidatingWebhookConfiguration.
 *
 * @param name the webhook's name
 * @param rules the rules; the webhook is called only for writes that match one of them
 * @param namespaces the namespace selector
 * @param objects the object selector
 * @param target the address of the webhook
 * @param timeout the time limit for a call
 * @param ignoresFailures whether a write continues if the webhook cannot be called
 * @param equivalent whether a rule also selects requests for other versions of its resource
 * @param reinvoked whether the webhook is called again if a later webhook changes the object
 * @param dryRunnable whether the webhook supports dry runs
 * @param reviewVersion the version of AdmissionReview that the webhook accepts
 * @param conditions the match conditions; the webhook is called only for writes that meet them
 */
record AdmissionWebhook(
    String name,
    List<WebhookRule> rules,
    LabelSelector namespaces,
    LabelSelector objects,
    WebhookTarget target,
    Duration timeout,
    boolean ignoresFailures,
    boolean equivalent,
    boolean reinvoked,
    boolean dryRunnable,
    AdmissionReviewVersion reviewVersion,
    MatchConditions conditions) {

  /** Reads the webhooks of a configuration. The configuration must be valid. */
  static List<AdmissionWebhook> of(ObjectNode configuration) {
    List<AdmissionWebhook> webhooks = new ArrayList<>();
    configuration.path("webhooks").forEach(webhook -> webhooks.add(of(webhook)));
    return webhooks;
  }

  private static AdmissionWebhook of(JsonNode webhook) {
    List<WebhookRule> rules = new ArrayList<>();
    webhook.path("rules").forEach(rule -> rules.add(WebhookRule.of(rule)));
    return new AdmissionWebhook(
        webhook.path("name").asText(),
        rules,
        LabelSelector.of(webhook.path("namespaceSelector")),
        LabelSelector.of(webhook.path("objectSelector")),
        WebhookTarget.of(webhook.path("clientConfig")),
        Duration.ofSeconds(webhook.path("timeoutSeconds").asLong()),
        webhook.path("failurePolicy").asText().equals("Ignore"),
        webhook.path("matchPolicy").asText().equals("Equivalent"),
        webhook.path("reinvocationPolicy").asText().equals("IfNeeded"),
        webhook.path("sideEffects").asText().startsWith("None"),
        AdmissionReviewVersion.firstOf(webhook.path("admissionReviewVersions")),
        MatchConditions.of(webhook.path("matchConditions")));
  }

  /**
   * Returns whether a rule selects any writes to a resource, either in the given version or, if the
   * match policy permits this, in one of the other versions.
   */
  boolean concerns(ResourceType type, String subresource, List<ResourceType> otherVersions) {
    return rules.stream().anyMatch(rule -> rule.matches(type, subresource))
        || (equivalent
            && otherVersions.stream()
                .anyMatch(
                    other -> rules.stream().anyMatch(rule -> rule.matches(other, subresource))));
  }

  /** Returns whether the object selector matches the object before or after the write. */
  boolean selects(ObjectNode old, ObjectNode object) {
    return objects.isEmpty()
        || (!object.isEmpty() && objects.matches(labels(object)))
        || (!old.isEmpty() && objects.matches(labels(old)));
  }

  private static JsonNode labels(ObjectNode object) {
    return Meta.of(object).json().path("labels");
  }
}
