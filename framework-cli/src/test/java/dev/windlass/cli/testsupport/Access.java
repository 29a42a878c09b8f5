// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.testsupport;

import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

/** The rights of an operator that runs under a user of its own. Stateless. */
public final class Access {

  private Access() {}

  /** Binds a ClusterRole, which may come later, to a user; the binding is called like the user. */
  public static void bind(KubernetesClient admin, String user, String role) {
    admin
        .resource(
            new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(user)
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
                .addNewSubject("rbac.authorization.k8s.io", "User", user, null)
                .build())
        .create();
  }

  /** Creates or replaces a role. */
  public static void grant(KubernetesClient admin, ClusterRole role) {
    admin.resource(role).forceConflicts().serverSideApply();
  }
}
