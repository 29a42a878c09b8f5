// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.informer;

import static dev.windlass.testsupport.Patience.eventually;

import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.Map;
import java.util.stream.Collectors;

/** The ConfigMaps of one namespace, written and read without detours. */
final class ConfigMaps implements AutoCloseable {

  private final String namespace;
  private final KubernetesClient client;

  /** Makes the namespace, unless it is there. */
  ConfigMaps(TestApiServer server, String namespace) {
    this.namespace = namespace;
    Config config = server.clientConfig();
    config.setRequestRetryBackoffLimit(0);
    config.setRequestTimeout(5_000);
    client = new KubernetesClientBuilder().withConfig(config).build();
    if (client.namespaces().withName(namespace).get() == null) {
      client.resource(Samples.namespace(namespace)).create();
    }
  }

  String namespace() {
    return namespace;
  }

  KubernetesClient client() {
    return client;
  }

  /** An informer of all of them. */
  InformerSpec<ConfigMap> all() {
    return InformerSpec.of(ConfigMap.class).in(WatchScope.namespace(namespace));
  }

  ConfigMap create(String name, Map<String, String> labels, String text) {
    return client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withData(Map.of("text", text))
                .build())
        .create();
  }

  ConfigMap create(String name) {
    return create(name, Map.of(), name);
  }

  ConfigMap update(String name, String text) {
    return client
        .configMaps()
        .inNamespace(namespace)
        .withName(name)
        .edit(map -> new ConfigMapBuilder(map).withData(Map.of("text", text)).build());
  }

  void delete(String name) {
    client.configMaps().inNamespace(namespace).withName(name).delete();
  }

  /** uid and version of each, by a consistent list. */
  Map<ObjectKey, String> truth() {
    return client.configMaps().inNamespace(namespace).list().getItems().stream()
        .map(ConfigMap::getMetadata)
        .collect(
            Collectors.toMap(
                meta -> ObjectKey.of(meta.getNamespace(), meta.getName()),
                meta -> meta.getUid() + " " + meta.getResourceVersion()));
  }

  /** Waits until an informer and its handler know what the server has. */
  void awaitIn(Follower<?> follower) {
    eventually().ignoreExceptions().untilAsserted(() -> follower.assertIs(truth()));
  }

  boolean isIn(Follower<?> follower, String name) {
    return follower.knows(namespace, name);
  }

  @Override
  public void close() {
    client.close();
  }
}
