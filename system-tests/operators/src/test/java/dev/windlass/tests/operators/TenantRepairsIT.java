// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.cli.testsupport.Edits.edit;
import static dev.windlass.cli.testsupport.Edits.isAnother;
import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.examples.tenant.TenantEntry;
import dev.windlass.examples.tenant.World;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whatever others do to one of the objects of a Tenant, and to that one alone, is undone. */
final class TenantRepairsIT {

  private static final String NAME = "repaired";
  private static final String FIRST = "repaired-test1";

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.sharedWithControllerManager();

  @Test
  void restoresEachObjectThatOthersDeleteOrChange() {
    kubernetes.server().install(TenantEntry.crd());
    try (KubernetesClient kubectl = kubernetes.server().newClient();
        Manager manager = Manager.builder().config(kubernetes.server().clientConfig()).build()) {
      World world = new World(kubectl);
      TenantEntry.controller(manager).register(manager);
      manager.start();
      world.create(TenantEntry.sample(NAME, NAME + "-"));
      world.awaitReady(NAME);

      ClusterRole role = Objects.requireNonNull(world.role(FIRST));
      kubectl.resource(role).delete();
      eventually().until(() -> isAnother(world.role(FIRST), role));
      RoleBinding binding = Objects.requireNonNull(world.binding(FIRST));
      kubectl.resource(binding).delete();
      eventually().until(() -> isAnother(world.binding(FIRST), binding));
      edit(world.bindingIn(FIRST), found -> found.setSubjects(List.of()));
      eventually()
          .untilAsserted(
              () ->
                  assertThat(Objects.requireNonNull(world.binding(FIRST)).getSubjects())
                      .hasSize(1));
      world.delete(NAME);
    }
  }
}
