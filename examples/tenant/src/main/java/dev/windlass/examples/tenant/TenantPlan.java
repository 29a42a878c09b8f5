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
 * The desired state of a Tenant, validated and with defaults applied. The schema in the CRD already
 * rejects most invalid Tenants, but the cluster may have an older CRD.
 *
 * @param namespaces the full names of the Namespaces, without duplicates
 * @param admin the administrator, in the form in which the API server stores subjects. The operator
 *     can therefore compare it with the subject of an existing RoleBinding
 */
record TenantPlan(List<String> namespaces, Subject admin) {

  /** The API group of roles and bindings, and of the Users and Groups to which bindings refer. */
  static final String RBAC = "rbac.authorization.k8s.io";

  /**
   * The maximum length of a Namespace's name. The plan checks the length itself because the
   * server's error message quotes the whole name.
   */
  private static final int LONGEST_NAME = 63;

  private static final Set<String> KINDS = Set.of("User", "Group", "ServiceAccount");

  /** Creates a plan, which contains a copy of the list. */
  TenantPlan {
    namespaces = List.copyOf(namespaces);
  }

  /**
   * Creates the plan for a Tenant.
   *
   * @throws TerminalException if the Tenant is invalid. The message states what to change; a retry
   *     fails until then
   */
  static TenantPlan of(Tenant tenant) throws TerminalException {
    TenantSpec spec = tenant.getSpec();
    String prefix = Objects.requireNonNullElse(spec.getNamespacePrefix(), "");
    Set<String> names = new LinkedHashSet<>();
    for (String namespace : namespaces(spec)) {
      String name = prefix + namespace;
      if (name.length() > LONGEST_NAME) {
        throw new TerminalException(
            "spec.namespaces has a name of %d characters: use %d at most, including the prefix"
                .formatted(name.length(), LONGEST_NAME));
      }
      if (!names.add(name)) {
        throw new TerminalException(
            "spec.namespaces names %s twice: remove one of them".formatted(namespace));
      }
    }
    return new TenantPlan(List.copyOf(names), admin(spec.getAdmin()));
  }

  private static List<String> namespaces(TenantSpec spec) throws TerminalException {
    List<String> names = Objects.requireNonNullElse(spec.getNamespaces(), List.of());
    if (names.isEmpty() || names.stream().anyMatch(Objects::isNull)) {
      throw new TerminalException("spec.namespaces lacks a name: list the namespaces to create");
    }
    return names;
  }

  private static Subject admin(@Nullable Subject admin) throws TerminalException {
    if (admin == null) {
      throw new TerminalException(
          "spec.admin is missing: name the administrator of the namespaces");
    }
    if (admin.getKind() == null || !KINDS.contains(admin.getKind())) {
      throw new TerminalException(
          "spec.admin.kind is %s: use User, Group or ServiceAccount".formatted(admin.getKind()));
    }
    boolean account = admin.getKind().equals("ServiceAccount");
    return account || admin.getApiGroup() != null
        ? admin
        : new SubjectBuilder(admin).withApiGroup(RBAC).build();
  }
}
