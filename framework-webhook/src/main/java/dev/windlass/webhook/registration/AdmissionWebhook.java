// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import dev.windlass.object.ResourceType;
import dev.windlass.webhook.admission.AdmissionRule;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An admission webhook.
 *
 * @param rule the rule that selects the requests for which the API server calls the webhook
 * @param mutating whether the webhook can change the object
 * @param watched the only namespace that the program watches; empty for all namespaces
 */
public record AdmissionWebhook(AdmissionRule<?> rule, boolean mutating, String watched) {

  /**
   * The suffix that completes Kubernetes' groups without a dot, such as {@code apps}, because a
   * webhook's name must have three segments.
   */
  private static final String KUBERNETES = "k8s.io";

  private static final String CORE = "core." + KUBERNETES;

  /** The label that each namespace has, and whose value is the namespace's name. */
  private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

  /** Creates a webhook of a program that watches all namespaces. */
  public AdmissionWebhook(AdmissionRule<?> rule, boolean mutating) {
    this(rule, mutating, "");
  }

  /**
   * Returns a copy of this webhook for a program that watches only the given namespace, or all
   * namespaces if the argument is empty.
   */
  public AdmissionWebhook watching(String namespace) {
    return new AdmissionWebhook(rule, mutating, namespace);
  }

  /**
   * Returns the selector of the namespaces for whose objects the API server calls the webhook. A
   * program that watches one namespace must not decide on objects in other namespaces, which belong
   * to other installations of the program. This restriction does not apply to objects without a
   * namespace, or to a rule with an empty selector.
   */
  public Optional<LabelSelector> namespaces() {
    Optional<LabelSelector> selector = rule.namespaces();
    boolean isEmpty = selector.filter(new LabelSelector()::equals).isPresent();
    if (watched.isEmpty() || isEmpty || !rule.type().namespaced()) {
      return selector;
    }
    return Optional.of(
        new LabelSelectorBuilder(selector.orElseGet(LabelSelector::new))
            .addToMatchExpressions(
                new LabelSelectorRequirement(NAMESPACE_NAME, "In", List.of(watched)))
            .build());
  }

  /**
   * Returns the name, which is {@code vtenant.example.com} or {@code mtenant.example.com} unless
   * the rule has its own name. The API server requires three segments, so this method completes
   * Kubernetes' groups that have only one segment: {@code vpod.core.k8s.io}, {@code
   * vdeployment.apps.k8s.io}.
   */
  public String name() {
    return rule.name().orElseGet(this::defaultName);
  }

  private String defaultName() {
    ResourceType type = rule.type();
    String group =
        type.group().isEmpty()
            ? CORE
            : type.group().contains(".") ? type.group() : type.group() + "." + KUBERNETES;
    return (mutating ? "m" : "v") + kind(type) + dashed(rule.subresource()) + "." + group;
  }

  /**
   * Returns the path, which is controller-runtime's path unless the rule has its own path: {@code
   * /validate-example-com-v1-tenant}, and {@code /validate--v1-pod} for the core group.
   */
  public String path() {
    return rule.path().orElseGet(this::defaultPath);
  }

  private String defaultPath() {
    ResourceType type = rule.type();
    return (mutating ? "/mutate-" : "/validate-")
        + type.group().replace('.', '-')
        + "-"
        + type.version()
        + "-"
        + kind(type)
        + dashed(rule.subresource());
  }

  private static String kind(ResourceType type) {
    return type.kind().toLowerCase(Locale.ROOT);
  }

  private static String dashed(String subresource) {
    return subresource.isEmpty() ? "" : "-" + subresource.replace("*", "any");
  }

  /** Returns the resource in a rule, such as {@code deployments/scale}. */
  String resource() {
    String plural = rule.type().plural();
    return rule.subresource().isEmpty() ? plural : plural + "/" + rule.subresource();
  }

  /** Returns a description for use in messages. */
  @Override
  public String toString() {
    return "the webhook " + name();
  }
}
