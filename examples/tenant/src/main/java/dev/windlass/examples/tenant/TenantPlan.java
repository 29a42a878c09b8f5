// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.controller.reconcile.TerminalException;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a Tenant asks for, checked and completed. The schema of the CRD refuses most of what is
 * wrong already; but the CRD that is installed may be an older one.
 *
 * @param namespaces the full names, each once
 * @param admin the administrator, as the server would store it, so that the two can be compared
 */
record TenantPlan(List<String> namespaces, Subject admin) {

  /** The API group of roles and bindings, and of Users and Groups in them. */
  static final String RBAC = "rbac.authorization.k8s.io";

  private static final Set<String> KINDS = Set.of("User", "Group", "ServiceAccount");

  /** Copies the list. */
  TenantPlan {
    namespaces = List.copyOf(namespaces);
  }

  /**
   * What a Tenant asks for.
   *
   * @throws TerminalException if it can't be had, saying what to change in the Tenant; to try again
   *     before that would be in vain
   */
  static TenantPlan of(Tenant tenant) throws TerminalException {
    TenantSpec spec = tenant.getSpec();
    String prefix = Objects.requireNonNullElse(spec.getNamespacePrefix(), "");
    Set<String> names = new LinkedHashSet<>();
    for (String namespace : spec.getNamespaces()) {
      if (!names.add(prefix + namespace)) {
        throw new TerminalException(
            "spec.namespaces names %s twice: remove one of them".formatted(namespace));
      }
    }
    return new TenantPlan(List.copyOf(names), admin(spec.getAdmin()));
  }

  private static Subject admin(@Nullable Subject admin) throws TerminalException {
    if (admin == null) {
      throw new TerminalException("spec.admin is missing: say who administrates the namespaces");
    }
    if (!KINDS.contains(admin.getKind())) {
      throw new TerminalException(
          "spec.admin.kind is %s: use User, Group or ServiceAccount".formatted(admin.getKind()));
    }
    boolean account = admin.getKind().equals("ServiceAccount");
    return account || admin.getApiGroup() != null
        ? admin
        : new SubjectBuilder(admin).withApiGroup(RBAC).build();
  }
}
