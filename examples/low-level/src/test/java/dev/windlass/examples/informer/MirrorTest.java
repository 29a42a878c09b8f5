// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.informer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.junit.EmbeddedKubernetes;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EmbeddedKubernetes
final class MirrorTest {

  private KubernetesClient client;
  private Mirror mirror;

  @BeforeEach
  void start() throws InterruptedException {
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName("mirror").endMetadata().build())
        .create();
    mirror = new Mirror(client, "mirror");
    mirror.start();
  }

  @AfterEach
  void stop() {
    mirror.close();
  }

  private static ConfigMap map(Map<String, String> labels) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName("settings")
        .withLabels(labels)
        .endMetadata()
        .withData(Map.of("key", "value"))
        .build();
  }

  private ConfigMap copy() {
    return client.configMaps().inNamespace("mirror").withName("settings").get();
  }

  @Test
  void followsTheLabel() {
    client.resource(map(Map.of("mirror", "true"))).create();
    await().until(() -> copy() != null);
    assertThat(copy().getData()).containsEntry("key", "value");

    client.resource(map(Map.of())).update();
    await().until(() -> copy() == null);
  }

  /** The copy cannot be written until its namespace exists. */
  @Test
  void triesAgain(EmbeddedApiServer server) {
    client.namespaces().withName("mirror").delete();
    await().until(() -> client.namespaces().withName("mirror").get() == null);
    client.resource(map(Map.of("mirror", "true"))).create();
    await()
        .until(
            () ->
                server.requests().stream()
                        .filter(request -> request.namespace().equals("mirror"))
                        .count()
                    > 2);
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName("mirror").endMetadata().build())
        .create();
    await().until(() -> copy() != null);
  }
}
