// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.Operation;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rejects webhooks that the API server would have to call before the program can answer. While no
 * replica runs, such a webhook rejects what a replica needs in order to start, so that no replica
 * ever starts again.
 */
public final class StartDependencies {

  private static final String NAMESPACE_LABEL = "kubernetes.io/metadata.name";

  private static final Set<Operation> WRITES = Set.of(Operation.CREATE, Operation.UPDATE);

  /**
   * A resource that a program with webhooks needs.
   *
   * @param resource the plural of the resource with its subresource, such as {@code pods/binding}
   * @param why why the program needs it, to complete "the rule matches ..."
   * @param namespaced whether only objects in the program's namespace matter
   */
  private record Needed(String group, String resource, String why, boolean namespaced) {}

  private static final List<Needed> NEEDED =
      List.of(
          new Needed("", "secrets", "the Secret of the webhooks' certificates", true),
          new Needed("", "pods", "the Pods of the program itself", true),
          new Needed("", "pods/binding", "the Pods of the program itself", true),
          new Needed("", "pods/status", "the Pods of the program itself", true),
          new Needed("", "endpoints", "the addresses behind the Service of the webhooks", true),
          new Needed(
              "discovery.k8s.io",
              "endpointslices",
              "the addresses behind the Service of the webhooks",
              true),
          new Needed("coordination.k8s.io", "leases", "the Leases of the program", true),
          new Needed(
              "apiextensions.k8s.io",
              "customresourcedefinitions",
              "the definitions whose conversion the program configures",
              false));

  private static final Set<String> NEVER_CALLED =
      Set.of("validatingwebhookconfigurations", "mutatingwebhookconfigurations");

  private final String namespace;
  private final Map<String, String> podLabels;
  private final Map<String, String> secretLabels;

  /**
   * Creates a check.
   *
   * @param namespace the namespace of the program
   * @param podLabels labels that the program's Pods have, such as the selector of the Service
   * @param secretLabels the labels of the Secret of the webhooks' certificates
   */
  public StartDependencies(
      String namespace, Map<String, String> podLabels, Map<String, String> secretLabels) {
    this.namespace = namespace;
    this.podLabels = Map.copyOf(podLabels);
    this.secretLabels = Map.copyOf(secretLabels);
  }

  /**
   * Checks a webhook.
   *
   * @throws IllegalArgumentException if the webhook matches what the program needs; the message
   *     states the remedy
   */
  public void requireIndependent(AdmissionWebhook webhook) {
    AdmissionRule<?> rule = webhook.rule();
    if (NEVER_CALLED.contains(rule.type().plural())
        && rule.type().group().equals(RegisteredObject.VALIDATING.group())) {
      throw new IllegalArgumentException(
          webhook
              + " is for "
              + rule.type().plural()
              + ", for which the API server never calls webhooks: remove it");
    }
    for (Needed needed : NEEDED) {
      if (needed.group().equals(rule.type().group())
          && needed.resource().equals(webhook.resource())
          && rule.operations().stream().anyMatch(WRITES::contains)
          && !isExcluded(needed, rule)) {
        throw new IllegalArgumentException(message(webhook, needed));
      }
    }
  }

  private boolean isExcluded(Needed needed, AdmissionRule<?> rule) {
    boolean byNamespace =
        needed.namespaced()
            && SelectorOutcome.excludes(
                rule.namespaces(), Map.of(NAMESPACE_LABEL, namespace), false);
    return byNamespace
        || switch (needed.resource()) {
          case "secrets" -> SelectorOutcome.excludes(rule.objects(), secretLabels, true);
          case "leases", "customresourcedefinitions" ->
              SelectorOutcome.excludes(rule.objects(), Map.of(), true);
          case "pods", "pods/status" -> SelectorOutcome.excludes(rule.objects(), podLabels, false);
          default -> false; // their labels are not known
        };
  }

  private String message(AdmissionWebhook webhook, Needed needed) {
    return webhook
        + " matches "
        + needed.why()
        + ", which the program needs before it can answer: exclude them by "
        + (needed.namespaced()
            ? "inNamespacesWith(...) with the expression %s NotIn [%s]"
                .formatted(NAMESPACE_LABEL, namespace)
            : "objectsWith(...) with a label that they do not have");
  }
}
