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
   * The suffix for API groups that do not contain a dot, such as {@code apps}. The suffix is
   * necessary because the name of a webhook must have at least three segments.
   */
  private static final String KUBERNETES = "k8s.io";

  private static final String CORE = "core." + KUBERNETES;

  /**
   * The label whose value is the name of the namespace. Kubernetes sets this label on all
   * namespaces.
   */
  private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

  /** Creates a webhook for a program that watches all namespaces. */
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
   * Returns the namespace selector of the webhook. The API server calls the webhook only for
   * objects in the selected namespaces.
   *
   * <p>If the program watches a single namespace, the selector is restricted to this namespace,
   * because other installations of the program may be responsible for the other namespaces. The
   * selector is not restricted if the objects are cluster-scoped, or if the selector of the rule is
   * present but empty.
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
   * Returns the name of the webhook. If the rule does not specify a name, the name consists of
   * {@code v} (validating) or {@code m} (mutating), the kind and the API group, such as {@code
   * vtenant.example.com}. A group without a dot is completed with a suffix, because the API server
   * requires at least three segments: {@code vpod.core.k8s.io}, {@code vdeployment.apps.k8s.io}.
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
   * Returns the path of the webhook. If the rule does not specify a path, the path is the same as
   * in controller-runtime, such as {@code /validate-example-com-v1-tenant}, or {@code
   * /validate--v1-pod} for the core group.
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

  /**
   * Returns the resource and subresource as a webhook configuration specifies them, such as {@code
   * deployments/scale}.
   */
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
