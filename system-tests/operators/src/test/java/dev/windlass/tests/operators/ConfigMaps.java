// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.Map;
import java.util.stream.Collectors;

/** The ConfigMaps of one namespace that carry a text, as the server has them. */
record ConfigMaps(KubernetesClient kubectl, String namespace) {

  /** What tells them from those that the controller manager makes. */
  static final String LABEL = "operators.windlass.dev/run";

  Resource<ConfigMap> get(String name) {
    return kubectl.configMaps().inNamespace(namespace).withName(name);
  }

  ConfigMap create(String name, String text) {
    return kubectl
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels(LABEL, "yes")
                .endMetadata()
                .addToData("text", text)
                .build())
        .create();
  }

  ConfigMap change(String name, String text) {
    return get(name).edit(map -> new ConfigMapBuilder(map).addToData("text", text).build());
  }

  void delete(String name) {
    get(name).delete();
  }

  /** The version of each. */
  Map<String, String> versions() {
    return kubectl.configMaps().inNamespace(namespace).withLabel(LABEL).list().getItems().stream()
        .map(ConfigMap::getMetadata)
        .collect(Collectors.toMap(meta -> meta.getName(), meta -> meta.getResourceVersion()));
  }
}
