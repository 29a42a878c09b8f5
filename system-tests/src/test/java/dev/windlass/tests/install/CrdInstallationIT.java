// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.install;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.crd.CrdInstallation;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.tests.owned.Rights;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class CrdInstallationIT extends CrdInstallationContract {

  private static final String USER = "rope-installer";

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @Override
  TestApiServer server() {
    return kubernetes.server();
  }

  /** Another plural, but the same kind: the second one is never established. */
  @Test
  void namesTheReasonIfAnotherCrdHasTheKind() {
    CrdInstallation.of(Rope.class).install(client);
    CustomResourceDefinition other = generated(stored().require());
    other.getMetadata().setName("cords.crd.windlass.dev");
    other.getSpec().getNames().setPlural("cords");
    other.getSpec().getNames().setSingular("cord");
    other.getSpec().getNames().setShortNames(List.of());
    try {
      assertThatThrownBy(() -> CrdInstallation.of(List.of(other)).install(client))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the names of the CRD cords.crd.windlass.dev are taken")
          .hasMessageContaining("Rope");
    } finally {
      client.resource(other).delete();
    }
  }

  @Test
  void needsOnlyThePermissionsThatItDeclares() {
    CrdInstallation installation = CrdInstallation.of(Rope.class);
    try (KubernetesClient limited =
        new KubernetesClientBuilder().withConfig(kubernetes.server().userConfig(USER)).build()) {
      assertThatThrownBy(() -> installation.install(limited))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("permission to install the CRD ropes.crd.windlass.dev denied");
      installation
          .permissions()
          .roles(USER)
          .forEach(role -> client.resource(role).serverSideApply());
      client
          .resource(
              new ClusterRoleBindingBuilder()
                  .withNewMetadata()
                  .withName(USER)
                  .endMetadata()
                  .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", USER)
                  .withSubjects(Rights.user(USER))
                  .build())
          .serverSideApply();
      eventually()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> installation.install(limited));
      assertThat(stored().get()).isNotNull();
    }
  }
}
