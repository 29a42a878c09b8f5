// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.client.Client;
import dev.windlass.client.DeleteParams;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.client.owned.Operation;
import dev.windlass.client.owned.Prune;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains the permissions of a Tenant's administrator. For each Namespace, there is one
 * ClusterRole, and one RoleBinding in the Namespace.
 *
 * <p>The administrator can read the Namespace and change the Tenant, but cannot access the objects
 * in the Namespace. The operator must itself hold the permissions that it grants; see {@link
 * TenantController}.
 */
final class TenantRbac {

  private static final Logger log = LoggerFactory.getLogger(TenantRbac.class);

  private final Client client;

  TenantRbac(Client client) {
    this.client = client;
  }

  /**
   * Creates and updates roles and bindings, and deletes the ClusterRoles of Namespaces that the
   * Tenant no longer requests. A RoleBinding is deleted with its Namespace.
   *
   * @param wanted the desired state
   * @return whether an object was created, changed or deleted
   */
  boolean reconcile(Tenant tenant, TenantPlan wanted) {
    boolean updated = false;
    List<ClusterRole> roles = new ArrayList<>();
    for (String namespace : wanted.namespaces()) {
      Operation<ClusterRole> role = reconcileRole(tenant, namespace);
      Operation<RoleBinding> binding = reconcileBinding(tenant, namespace, wanted.admin());
      updated |= role.isChange() || binding.isChange();
      roles.add(role.object());
    }
    List<ObjectKey> pruned =
        Prune.prune(
            client,
            tenant,
            ClusterRole.class,
            TenantIndices.controlledBy(tenant),
            roles,
            DeleteParams.DEFAULT);
    pruned.forEach(role -> log.info("deleted ClusterRole: name={}", role));
    return updated || !pruned.isEmpty();
  }

  private Operation<ClusterRole> reconcileRole(Tenant tenant, String namespace) {
    ClusterRole skeleton =
        new ClusterRoleBuilder()
            .withNewMetadata()
            .withName(Children.roleName(namespace))
            .endMetadata()
            .build();
    return createOrUpdate(tenant, skeleton, role -> role.setRules(rules(namespace)));
  }

  private static List<PolicyRule> rules(String namespace) {
    return List.of(
        new PolicyRuleBuilder()
            .withVerbs("get", "list", "watch")
            .withApiGroups("")
            .withResources("namespaces")
            .withResourceNames(namespace)
            .build());
  }

  private Operation<RoleBinding> reconcileBinding(Tenant tenant, String namespace, Subject admin) {
    RoleBinding skeleton =
        new RoleBindingBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(Children.bindingName(namespace))
            .endMetadata()
            .withNewRoleRef(TenantPlan.RBAC, "ClusterRole", Children.roleName(namespace))
            .build(); // the role of a binding is immutable, so it is set only at creation
    return createOrUpdate(tenant, skeleton, binding -> binding.setSubjects(List.of(admin)));
  }

  private <T extends HasMetadata> Operation<T> createOrUpdate(
      Tenant tenant, T skeleton, Consumer<T> mutation) {
    String kind = skeleton.getKind();
    Operation<T> operation;
    try {
      operation =
          CreateOrUpdate.createOrUpdate(
              client,
              skeleton,
              object -> {
                Children.own(object, tenant);
                mutation.accept(object);
              });
    } catch (RuntimeException e) {
      log.error("unable to create-or-update {}: name={}", kind, skeleton.getMetadata().getName());
      throw e;
    }
    if (operation.isChange()) {
      log.info(
          "reconcile {} successfully: op={}",
          kind,
          operation.result().name().toLowerCase(Locale.ROOT));
    }
    return operation;
  }
}
