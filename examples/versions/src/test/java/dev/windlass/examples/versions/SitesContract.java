// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.versions;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.webhook.Webhooks;
import dev.windlass.webhook.migration.StorageMigration;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Release 2 of the operator takes over from release 1, which knew only v1. */
abstract class SitesContract {

  private static final String CRD = "sites.versions.windlass.dev";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  TestApiServer server;
  KubernetesClient kubectl;
  Manager manager;

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static <T> T read(String file, Class<T> type) throws IOException {
    try (InputStream yaml = SitesContract.class.getResourceAsStream("/config/" + file)) {
      return Serialization.unmarshal(Objects.requireNonNull(yaml, file), type);
    }
  }

  private void upgradeDefinition(int port) throws IOException {
    CustomResourceDefinition crd = read("crd.yaml", CustomResourceDefinition.class);
    crd.getSpec()
        .getConversion()
        .getWebhook()
        .getClientConfig()
        .setUrl("https://127.0.0.1:" + port + "/convert");
    kubectl
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName(CRD)
        .edit(
            old -> {
              old.setSpec(crd.getSpec());
              return old;
            });
  }

  private void startOperator(int port) {
    Webhooks.forAddress("site-operator", URI.create("https://127.0.0.1:" + port))
        .convert(SiteVersions.CONVERSION)
        .bindAddress("127.0.0.1:" + port)
        .inNamespace("default")
        .drainTime(Duration.ZERO)
        .register(manager);
    ControllerBuilder.forType(Site.class).objectReconciler(new SiteReconciler()).register(manager);
    StorageMigration.of(Site.class)
        .settleTime(Duration.ofSeconds(1))
        .checkPeriod(Duration.ofSeconds(1))
        .register(manager);
    manager.start();
  }

  private <T extends HasMetadata> T get(Class<T> type, String name) {
    return kubectl.resources(type).inNamespace("default").withName(name).get();
  }

  private List<String> storedVersions() {
    return kubectl
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName(CRD)
        .get()
        .getStatus()
        .getStoredVersions();
  }

  @Test
  void objectsOfTheOldReleaseAreServedAndStoredInTheNewVersion() throws IOException {
    server.install(read("crd-of-release-1.yaml", CustomResourceDefinition.class));
    kubectl.resource(read("samples/shop-v1.yaml", SiteV1.class)).inNamespace("default").create();
    int port = freePort();
    upgradeDefinition(port);
    startOperator(port);
    eventually()
        .atMost(LIMIT)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              Site shop = get(Site.class, "shop");
              assertThat(shop.getSpec().getHost()).isEqualTo("shop.example.com");
              assertThat(shop.getSpec().getPort()).isEqualTo(8080);
              assertThat(shop.getStatus().getUrl()).isEqualTo("http://shop.example.com:8080");
            });
    assertThat(get(SiteV1.class, "shop").getStatus().getUrl())
        .isEqualTo("http://shop.example.com:8080");
    eventually().atMost(LIMIT).until(() -> storedVersions().equals(List.of("v2")));
    kubectl.resource(read("samples/blog-v2.yaml", Site.class)).inNamespace("default").create();
    SiteV1 blog = get(SiteV1.class, "blog");
    assertThat(blog.getSpec().getAddress()).isEqualTo("blog.example.com:8443");
    blog.getSpec().setAddress("news.example.com:8443");
    eventually()
        .atMost(LIMIT)
        .ignoreExceptions() // the controller may write the status meanwhile
        .until(
            () ->
                kubectl
                        .resources(SiteV1.class)
                        .inNamespace("default")
                        .withName("blog")
                        .edit(
                            old -> {
                              old.setSpec(blog.getSpec());
                              return old;
                            })
                    != null);
    eventually()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(get(Site.class, "blog").getStatus().getUrl())
                    .isEqualTo("https://news.example.com:8443"));
  }
}
