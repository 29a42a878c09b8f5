// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rejects webhooks that the API server would have to call before the program can respond. While no
 * replica runs, the API server rejects the requests for which it should call such a webhook. A
 * replica depends on these requests to start, so no replica could ever start again.
 */
public final class StartDependencies {

  private static final String NAMESPACE_LABEL = "kubernetes.io/metadata.name";

  /** The namespaces of the Leases that the control plane needs to create and schedule Pods. */
  private static final List<String> CONTROL_PLANE = List.of("kube-system", "kube-node-lease");

  private static final Set<Operation> WRITES = Set.of(Operation.CREATE, Operation.UPDATE);

  /**
   * All operations. They include deletions, because a new Pod may have to wait for the deletion of
   * a former Pod that never started.
   */
  private static final Set<Operation> ALL =
      Set.of(Operation.CREATE, Operation.UPDATE, Operation.DELETE);

  /** The location of the objects that the program needs. */
  private enum Place {
    /** In the program's namespace. */
    HOME,
    /** In the program's namespace, and in the control plane's namespaces. */
    HOME_AND_CONTROL_PLANE,
    /** Outside any namespace. */
    CLUSTER
  }

  /**
   * A resource that a program with webhooks needs.
   *
   * @param group the API group; empty for the core group
   * @param resource the plural of the resource with its subresource, such as {@code pods/binding}
   * @param why the reason why the program needs it, which completes "the rule matches ..."
   * @param operations the operations that the program needs
   * @param place the location of the objects
   */
  private record Needed(
      String group, String resource, String why, Set<Operation> operations, Place place) {

    /** Returns whether the API server calls a webhook of the rule for this resource. */
    boolean isMatchedBy(AdmissionRule<?> rule) {
      int slash = resource.indexOf('/');
      String plural = slash < 0 ? resource : resource.substring(0, slash);
      String subresource = slash < 0 ? "" : resource.substring(slash + 1);
      return group.equals(rule.type().group())
          && plural.equals(rule.type().plural())
          && rule.matchesSubresource(subresource)
          && rule.operations().stream().anyMatch(operations::contains);
    }
  }

  private static final List<Needed> NEEDED = needed();

  private static List<Needed> needed() {
    List<Needed> needed = new ArrayList<>();
    String secret = "the Secret of the webhooks' certificates";
    needed.add(new Needed("", "secrets", secret, WRITES, Place.HOME));
    String pods = "the Pods of the program itself";
    needed.add(new Needed("", "pods", pods, ALL, Place.HOME));
    needed.add(new Needed("", "pods/binding", pods, WRITES, Place.HOME));
    needed.add(new Needed("", "pods/status", pods, WRITES, Place.HOME));
    String token = "the ServiceAccount tokens of the program's Pods";
    needed.add(new Needed("", "serviceaccounts/token", token, WRITES, Place.HOME));
    String workload = "the workload that creates the program's Pods";
    for (String each :
        List.of(
            "deployments",
            "deployments/scale",
            "replicasets",
            "statefulsets",
            "statefulsets/scale",
            "daemonsets")) {
      needed.add(new Needed("apps", each, workload, WRITES, Place.HOME));
    }
    String addresses = "the addresses behind the Service of the webhooks";
    needed.add(new Needed("", "endpoints", addresses, WRITES, Place.HOME));
    needed.add(new Needed("discovery.k8s.io", "endpointslices", addresses, WRITES, Place.HOME));
    String leases = "the Leases of the program, or of the control plane that starts it";
    needed.add(
        new Needed("coordination.k8s.io", "leases", leases, WRITES, Place.HOME_AND_CONTROL_PLANE));
    String definitions = "the definitions whose conversion the program configures";
    needed.add(
        new Needed(
            "apiextensions.k8s.io",
            "customresourcedefinitions",
            definitions,
            WRITES,
            Place.CLUSTER));
    return List.copyOf(needed);
  }

  private static final Set<String> NEVER_CALLED =
      Set.of("validatingwebhookconfigurations", "mutatingwebhookconfigurations");

  private final String namespace;
  private final Map<String, String> podLabels;
  private final Map<String, String> secretLabels;

  /**
   * Creates the checks for one program.
   *
   * @param namespace the program's namespace
   * @param podLabels labels that the program's Pods have, such as the Service's selector
   * @param secretLabels the labels of the Secret with the webhooks' certificates
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
   * @throws IllegalArgumentException if the webhook matches a resource that the program needs; the
   *     message states the remedy
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
      if (needed.isMatchedBy(rule) && !isExcluded(needed, webhook)) {
        throw new IllegalArgumentException(message(webhook, needed));
      }
    }
  }

  private List<String> namespaces(Needed needed) {
    List<String> namespaces = new ArrayList<>();
    if (needed.place() != Place.CLUSTER) {
      namespaces.add(namespace);
    }
    if (needed.place() == Place.HOME_AND_CONTROL_PLANE) {
      namespaces.addAll(CONTROL_PLANE);
    }
    return namespaces;
  }

  /**
   * Returns whether the selectors certainly exclude the objects that the program needs. This method
   * ignores conditions in CEL, because only the API server can evaluate them.
   */
  private boolean isExcluded(Needed needed, AdmissionWebhook webhook) {
    List<String> namespaces = namespaces(needed);
    boolean byNamespace =
        !namespaces.isEmpty()
            && namespaces.stream()
                .allMatch(
                    each ->
                        SelectorOutcome.excludes(
                            webhook.namespaces(), Map.of(NAMESPACE_LABEL, each), false));
    return byNamespace
        || switch (needed.resource()) {
          case "secrets" -> SelectorOutcome.excludes(webhook.rule().objects(), secretLabels, true);
          case "leases", "customresourcedefinitions" ->
              SelectorOutcome.excludes(webhook.rule().objects(), Map.of(), true);
          case "pods", "pods/status" ->
              SelectorOutcome.excludes(webhook.rule().objects(), podLabels, false);
          default -> false; // their labels are not known
        };
  }

  private String message(AdmissionWebhook webhook, Needed needed) {
    List<String> namespaces = namespaces(needed);
    return webhook
        + ", whose rule is for "
        + webhook.resource()
        + ", matches "
        + needed.why()
        + " ("
        + needed.resource()
        + "), which the program needs before it can answer: exclude them by "
        + (namespaces.isEmpty()
            ? "objectsWith(...) with a label that they do not have"
            : "inNamespacesWith(...) with the expression %s NotIn [%s]"
                .formatted(NAMESPACE_LABEL, String.join(", ", namespaces)))
        + (webhook.rule().conditions().isEmpty()
            ? ""
            : "; the conditions of onlyIf(...) can't be evaluated here, so they exclude nothing");
  }
}
