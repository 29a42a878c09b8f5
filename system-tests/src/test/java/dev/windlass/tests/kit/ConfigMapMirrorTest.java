// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
final class ConfigMapMirrorTest {

  private KubernetesClient client;
  private ConfigMapMirror mirror;

  @BeforeEach
  void start() {
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName("mirror").endMetadata().build())
        .create();
    mirror = new ConfigMapMirror(client, "mirror");
  }

  @AfterEach
  void stop() {
    mirror.close();
  }

  private static ConfigMap map(String name, Map<String, String> labels) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withLabels(labels)
        .endMetadata()
        .withData(Map.of("key", "value"))
        .build();
  }

  private ConfigMap copy(String name) {
    return client.configMaps().inNamespace("mirror").withName(name).get();
  }

  @Test
  void copiesOnlyWhatIsLabelled() {
    client.resource(map("other", Map.of())).create();
    client.resource(map("wanted", Map.of("mirror", "true"))).create();

    await().until(() -> copy("wanted") != null);
    assertThat(copy("wanted").getData()).containsEntry("key", "value");
    assertThat(copy("other")).isNull();
  }

  @Test
  void keepsFieldsOfOthersAndDeletesWithTheOriginal() {
    client.resource(map("wanted", Map.of("mirror", "true"))).create();
    await().until(() -> copy("wanted") != null);
    client
        .configMaps()
        .inNamespace("mirror")
        .withName("wanted")
        .edit(copy -> new ConfigMapBuilder(copy).addToData("mine", "kept").build());

    client
        .configMaps()
        .withName("wanted")
        .edit(original -> new ConfigMapBuilder(original).addToData("key", "new").build());
    await().until(() -> "new".equals(copy("wanted").getData().get("key")));
    assertThat(copy("wanted").getData()).containsEntry("mine", "kept");

    client.configMaps().withName("wanted").delete();
    await().until(() -> copy("wanted") == null);
  }
}
