// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.install;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.crd.CrdInstallation;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.junit.RealKubernetes;
import dev.windlass.tests.owned.Rights;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@RealKubernetes
final class CrdInstallationIT extends CrdInstallationContract {

  private static final String USER = "rope-installer";

  @Test
  void needsOnlyThePermissionsThatItDeclares(RealApiServer server) {
    CrdInstallation installation = CrdInstallation.of(Rope.class);
    try (KubernetesClient limited =
        new KubernetesClientBuilder().withConfig(server.userConfig(USER)).build()) {
      assertThatThrownBy(() -> installation.install(limited))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("permission to install the CRD ropes.crd.windlass.dev denied");
      installation
          .permissions()
          .roles(USER)
          .forEach(role -> client.resource(role).serverSideApply());
      Rights.bind(client, USER, Rights.user(USER));
      eventually()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> installation.install(limited));
      assertThat(stored().get()).isNotNull();
    }
  }
}
