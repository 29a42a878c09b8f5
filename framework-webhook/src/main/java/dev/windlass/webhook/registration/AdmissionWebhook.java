// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import dev.windlass.object.ResourceType;
import dev.windlass.webhook.admission.AdmissionRule;
import java.util.Locale;

/**
 * A webhook for admission.
 *
 * @param rule the requests for which the API server calls it
 * @param mutating whether it can change the object
 */
public record AdmissionWebhook(AdmissionRule<?> rule, boolean mutating) {

  /** Groups of Kubernetes without a dot, whose webhooks need a third segment in their names. */
  private static final String KUBERNETES = "k8s.io";

  private static final String CORE = "core." + KUBERNETES;

  /**
   * Returns the name, which is {@code vtenant.example.com} or {@code mtenant.example.com} unless
   * the rule has its own. The API server requires three segments, so the groups of Kubernetes that
   * have only one are completed: {@code vpod.core.k8s.io}, {@code vdeployment.apps.k8s.io}.
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
   * Returns the path, which is that of controller-runtime unless the rule has its own: {@code
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

  /** Returns a description for messages. */
  @Override
  public String toString() {
    return "the webhook " + name();
  }
}
