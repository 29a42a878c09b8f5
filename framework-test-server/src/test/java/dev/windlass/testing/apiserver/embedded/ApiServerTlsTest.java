// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReview;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class ApiServerTlsTest {

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.builder().withTls().start();

  private static KubernetesClient client(Config config) {
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  @Test
  void servesTheClientsOfItsKubeconfig() throws Exception {
    assertThat(server.kubeconfig()).contains(server.url(), "client-key-data: ");
    try (KubernetesClient client = client(Config.fromKubeconfig(server.kubeconfig()))) {
      ConfigMap map =
          new ConfigMapBuilder().withNewMetadata().withName("one").endMetadata().build();
      client.configMaps().inNamespace("default").resource(map).create();
      client
          .configMaps()
          .inNamespace("default")
          .withName("one")
          .waitUntilCondition(found -> found != null, 10, TimeUnit.SECONDS);
    }
    try (KubernetesClient client = server.newClient()) {
      assertThat(client.configMaps().inNamespace("default").withName("one").get()).isNotNull();
    }
  }

  @Test
  void recognisesAUser() {
    try (KubernetesClient client = client(server.userConfig("ann", "readers"))) {
      SelfSubjectReview self =
          client.authentication().v1().selfSubjectReviews().create(new SelfSubjectReview());
      assertThat(self.getStatus().getUserInfo().getUsername()).isEqualTo("ann");
      assertThat(self.getStatus().getUserInfo().getGroups())
          .containsExactly("readers", "system:authenticated");
    }
    assertThat(server.kubeconfigFor("ann", "readers"))
        .contains("user:\n    as: \"ann\"\n    as-groups: [\"readers\"]\n    client-certificate");
  }

  @Test
  void hasACertificateThatOtherClientsDoNotTrust() {
    HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + "/version")).build();
    assertThatThrownBy(() -> HttpClient.newHttpClient().send(request, BodyHandlers.ofString()))
        .isInstanceOf(SSLHandshakeException.class);
  }
}
