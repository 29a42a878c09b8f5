// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rejects webhooks that would prevent the program from starting. While no replica runs, the API
 * server rejects each request for which it must call a webhook of the program. If the start of a
 * replica depends on such a request, no replica can ever start again.
 */
public final class StartDependencies {

  private static final String NAMESPACE_LABEL = "kubernetes.io/metadata.name";

  /**
   * The namespaces that contain the Leases of the control plane. Without these Leases, the control
   * plane does not create or schedule Pods.
   */
  private static final List<String> CONTROL_PLANE = List.of("kube-system", "kube-node-lease");

  private static final Set<Operation> WRITES = Set.of(Operation.CREATE, Operation.UPDATE);

  /**
   * All operations. Deletion is included because a new Pod may have to wait for the deletion of an
   * earlier Pod that never started.
   */
  private static final Set<Operation> ALL =
      Set.of(Operation.CREATE, Operation.UPDATE, Operation.DELETE);

  /** The location of the objects that the program needs. */
  private enum Place {
    /** The program's namespace. */
    HOME,
    /** The program's namespace and the {@link #CONTROL_PLANE} namespaces. */
    HOME_AND_CONTROL_PLANE,
    /** No namespace: the objects are cluster-scoped. */
    CLUSTER
  }

  /**
   * A resource that a program with webhooks needs in order to start.
   *
   * @param group the API group; empty for the core group
   * @param resource the plural name of the resource and its subresource, such as {@code
   *     pods/binding}
   * @param why the description of the objects that the program needs, which completes the message
   *     "the rule matches ..."
   * @param operations the operations on which the start depends
   * @param place the location of the objects
   */
  private record Needed(
      String group, String resource, String why, Set<Operation> operations, Place place) {

    /** Returns whether the API server calls a webhook with the given rule for this resource. */
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
   * @param podLabels labels of the program's Pods, such as those in the Service's selector; the
   *     Pods may have further labels
   * @param secretLabels all labels of the Secret that contains the webhooks' certificates
   */
  public StartDependencies(
      String namespace, Map<String, String> podLabels, Map<String, String> secretLabels) {
    this.namespace = namespace;
    this.podLabels = Map.copyOf(podLabels);
    this.secretLabels = Map.copyOf(secretLabels);
  }

  /**
   * Checks that the start of the program does not depend on a webhook.
   *
   * @throws IllegalArgumentException if the webhook matches a resource that the program needs to
   *     start, or if the API server never calls webhooks for the resource; the message states the
   *     remedy
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
   * Returns whether the selectors of the webhook are known to exclude the objects that the program
   * needs. Ignores CEL conditions, because only the API server can evaluate them.
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
