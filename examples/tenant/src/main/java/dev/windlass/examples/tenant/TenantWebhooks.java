// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.webhook.WebhookBuilder;
import dev.windlass.webhook.admission.AdmissionRequest;
import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.FieldError;
import dev.windlass.webhook.admission.Operation;
import dev.windlass.webhook.admission.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Sets the default prefix of a Tenant, and rejects invalid Tenants that the schema cannot reject.
 */
final class TenantWebhooks {

  /** The maximum length of a Namespace's name. */
  private static final int LONGEST_NAME = 63;

  private TenantWebhooks() {}

  /** Declares the webhooks. */
  static WebhookBuilder declare(WebhookBuilder webhooks) {
    return webhooks
        .defaults(
            AdmissionRule.of(Tenant.class).on(Operation.CREATE).named("mtenant.kb.io"),
            TenantWebhooks::setPrefix)
        .validate(AdmissionRule.of(Tenant.class).named("vtenant.kb.io"), TenantWebhooks::validate);
  }

  /**
   * Sets the prefix of the Namespaces' names to the name of the Tenant and a hyphen, unless the
   * Tenant already has a prefix. If the API server generates the Tenant's name, the webhook does
   * not receive a name, and the prefix remains empty.
   */
  static void setPrefix(AdmissionRequest<Tenant> request) {
    TenantSpec spec = request.object().getSpec();
    String prefix = spec.getNamespacePrefix();
    if ((prefix == null || prefix.isEmpty()) && !request.name().isEmpty()) {
      spec.setNamespacePrefix(request.name() + "-");
    }
  }

  /**
   * Rejects a change of the prefix, and names that are not valid for a Namespace or occur twice.
   */
  static Verdict validate(AdmissionRequest<Tenant> request) {
    TenantSpec spec = request.object().getSpec();
    boolean renamed =
        request
            .oldObject()
            .map(old -> !Objects.equals(prefix(old.getSpec()), prefix(spec)))
            .orElse(false);
    if (renamed) {
      return Verdict.deny("spec.namespacePrefix field should not be changed");
    }
    List<FieldError> errors = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < spec.getNamespaces().size(); i++) {
      String path = "spec.namespaces[" + i + "]";
      String name = prefix(spec) + spec.getNamespaces().get(i);
      if (name.length() > LONGEST_NAME || !name.matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?")) {
        errors.add(FieldError.invalid(path, name, "must be the name of a Namespace"));
      } else if (!names.add(name)) {
        errors.add(FieldError.duplicate(path, name));
      }
    }
    return Verdict.of(errors);
  }

  private static String prefix(TenantSpec spec) {
    String prefix = spec.getNamespacePrefix();
    return prefix == null ? "" : prefix;
  }
}
