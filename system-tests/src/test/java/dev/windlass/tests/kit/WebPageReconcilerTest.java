// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.testing.apiserver.OpenDefinition;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.junit.EmbeddedKubernetes;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EmbeddedKubernetes
final class WebPageReconcilerTest {

  private TestApiServer server;
  private KubernetesClient client;
  private Operator operator;

  @BeforeEach
  void start() {
    server.install(
        OpenDefinition.of(WebPage.class)); // or the class, if the build generates its CRD
    operator =
        new Operator(
            overrider -> overrider.withKubernetesClient(client).withCloseClientOnStop(false));
    operator.register(new WebPageReconciler());
    operator.start();
  }

  @AfterEach
  void stop() {
    operator.stop();
  }

  private static WebPage page(String html) {
    WebPage page = new WebPage();
    page.setMetadata(new ObjectMetaBuilder().withName("home").build());
    WebPage.Spec spec = new WebPage.Spec();
    spec.setHtml(html);
    page.setSpec(spec);
    return page;
  }

  private ConfigMap map() {
    return client.configMaps().withName("home-html").get();
  }

  @Test
  void keepsTheConfigMapAndTheStatus() {
    client.resource(page("hello")).create();
    await().until(() -> map() != null);
    assertThat(map().getData()).containsEntry("index.html", "hello");
    await()
        .until(
            () -> {
              WebPage.Status status =
                  client.resources(WebPage.class).withName("home").get().getStatus();
              return status != null && status.getConfigMap().equals("home-html");
            });

    client
        .resources(WebPage.class)
        .withName("home")
        .edit(
            page -> {
              page.getSpec().setHtml("changed");
              return page;
            });
    await().until(() -> map().getData().get("index.html").equals("changed"));

    client.resources(WebPage.class).withName("home").delete();
    await().until(() -> map() == null); // the garbage collector of the server
  }
}
