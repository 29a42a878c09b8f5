// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Users of a server without sockets. */
final class AccessInMemoryTest {

  @AutoClose
  private final EmbeddedApiServer server =
      EmbeddedApiServer.builder().withRbac().withoutSockets().start();

  private KubernetesClient client(String user, String... groups) {
    return new KubernetesClientBuilder()
        .withConfig(server.userConfig(user, groups))
        .withHttpClientFactory(server.inMemory())
        .build();
  }

  @Test
  void haveOnlyTheirOwnRights() {
    try (KubernetesClient ann = client("ann")) {
      assertThatThrownBy(() -> ann.configMaps().inNamespace("default").list())
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining("User \"ann\" cannot list resource \"configmaps\"");
    }
  }

  @Test
  void mayDoEverythingAsMasters() {
    try (KubernetesClient root = client("root", "system:masters")) {
      assertThat(root.configMaps().inNamespace("default").list().getItems()).isEmpty();
    }
  }

  @Test
  void areAdministratorsWithoutAToken() {
    try (KubernetesClient admin = server.newClient()) {
      assertThat(admin.configMaps().inNamespace("default").list().getItems()).isEmpty();
    }
  }
}
