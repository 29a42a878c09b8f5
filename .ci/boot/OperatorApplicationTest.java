// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.frameworks.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.windlass.examples.frameworks.Labeller;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.reconciler.CrashAtEveryWrite;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.webhook.Webhooks;
import dev.windlass.webhook.admission.Verdict;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;

/** The beans of the guide in an application that has all versions from Spring Boot. */
@SpringBootTest(properties = "windlass.namespace=default")
class OperatorApplicationTest {

  @SpringBootApplication
  static class Application {
    @Bean(destroyMethod = "close")
    EmbeddedApiServer server() {
      return EmbeddedApiServer.start();
    }

    @Bean
    KubernetesClient client(EmbeddedApiServer server) {
      return server.newClient();
    }
  }

  @Autowired KubernetesClient client;
  @Autowired OperatorHealth health;

  private static ConfigMap map() {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName("first")
        .addToLabels("check", "yes")
        .endMetadata()
        .build();
  }

  /** The JUnit of Spring Boot is newer than the one with which the test kit is built. */
  @CrashAtEveryWrite
  void labelsAConfigMapInSpiteOfACrash() {
    try (ReconcilerTest test = ReconcilerTest.of(Labeller::register)) {
      test.create(map());
      test.assertEventuallyStable();
      assertThat(test.get(ConfigMap.class, "default", "first").orElseThrow())
          .matches(map -> map.getMetadata().getLabels().containsKey("checked"));
    }
  }

  @Test
  void labelsAConfigMap() {
    ConfigMap map = map();
    client.resource(map).create();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> client.resource(map).get().getMetadata().getLabels().containsKey("checked"));
    assertThat(health.health().getStatus().getCode()).isEqualTo("UP");
  }

  /** Spring Boot manages Jetty and Micrometer, too. */
  @Test
  void servesWebhooksAndMetrics() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    ServiceAccount account =
        new ServiceAccountBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("second")
            .endMetadata()
            .build();
    try (Manager manager =
        Manager.builder().client(client).metricsBindAddress("127.0.0.1:0").build()) {
      Webhooks.forAddress("boot-operator", URI.create("https://127.0.0.1:" + port))
          .bindAddress("127.0.0.1:" + port)
          .inNamespace("default")
          .validate(ServiceAccount.class, request -> Verdict.deny("not here"))
          .drainTime(Duration.ZERO)
          .register(manager)
          .manifests()
          .forEach(manifest -> client.resource(manifest).serverSideApply());
      manager.start();
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> client.resource(account).dryRun(true).create())
                      .hasMessageContaining("not here"));
      HttpRequest scrape =
          HttpRequest.newBuilder(
                  URI.create(
                      "http://127.0.0.1:%d/metrics"
                          .formatted(manager.endpoints().metricsPort().orElseThrow())))
              .build();
      assertThat(HttpClient.newHttpClient().send(scrape, BodyHandlers.ofString()).body())
          .contains("rest_client_requests_total");
    }
  }
}
