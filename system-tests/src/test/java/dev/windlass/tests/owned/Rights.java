// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.owned;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.jspecify.annotations.Nullable;

/** What an administrator grants, by a role with one rule and a binding of the same name. */
public final class Rights {

  private static final String RBAC = "rbac.authorization.k8s.io";

  private Rights() {}

  public static PolicyRule rule(String group, String resource, String... verbs) {
    return new PolicyRuleBuilder()
        .withApiGroups(group)
        .withResources(resource)
        .withVerbs(verbs)
        .build();
  }

  public static Subject user(String name) {
    return new Subject(RBAC, "User", name, null);
  }

  public static Subject group(String name) {
    return new Subject(RBAC, "Group", name, null);
  }

  /** An account in the namespace default. */
  public static Subject account(String name) {
    return new Subject("", "ServiceAccount", name, "default");
  }

  /** Grants it in one namespace, and returns the binding, which was not there. */
  public static HasMetadata grant(
      KubernetesClient admin, String namespace, String name, PolicyRule rule, Subject subject) {
    HasMetadata role = new RoleBuilder().withRules(rule).build();
    HasMetadata binding =
        new RoleBindingBuilder().withNewRoleRef(RBAC, "Role", name).withSubjects(subject).build();
    return create(admin, namespace, name, role, binding);
  }

  /** Grants it everywhere. */
  public static HasMetadata grant(
      KubernetesClient admin, String name, PolicyRule rule, Subject subject) {
    HasMetadata role = new ClusterRoleBuilder().withRules(rule).build();
    HasMetadata binding =
        new ClusterRoleBindingBuilder()
            .withNewRoleRef(RBAC, "ClusterRole", name)
            .withSubjects(subject)
            .build();
    return create(admin, null, name, role, binding);
  }

  /** Allows a subject everywhere what the ClusterRole of a name allows. */
  public static void bind(KubernetesClient admin, String role, Subject subject) {
    admin
        .resource(
            new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(role)
                .endMetadata()
                .withNewRoleRef(RBAC, "ClusterRole", role)
                .withSubjects(subject)
                .build())
        .serverSideApply();
  }

  private static HasMetadata create(
      KubernetesClient admin,
      @Nullable String namespace,
      String name,
      HasMetadata role,
      HasMetadata binding) {
    role.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
    binding.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
    admin.resource(role).serverSideApply();
    return admin.resource(binding).create();
  }
}
