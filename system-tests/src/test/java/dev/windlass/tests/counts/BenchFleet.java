// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.counts;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

/** The benches on a server, as another program creates and changes them. */
final class BenchFleet {

  private static final String NAMESPACE = "default";

  private final KubernetesClient kubectl;
  private final int size;

  BenchFleet(KubernetesClient kubectl, int size) {
    this.kubectl = kubectl;
    this.size = size;
  }

  void create() {
    for (int i = 0; i < size; i++) {
      kubectl.resource(Bench.of(NAMESPACE, "bench-" + i)).create();
    }
  }

  /** Sets the mark of each bench, and decodes none into its class. */
  void mark(String mark) {
    String change =
        "{\"metadata\": {\"annotations\": {\"%s\": \"%s\"}}}".formatted(BenchProgram.MARK, mark);
    for (int i = 0; i < size; i++) {
      GenericKubernetesResource unused =
          kubectl
              .genericKubernetesResources("counts.windlass.dev/v1", "Bench")
              .inNamespace(NAMESPACE)
              .withName("bench-" + i)
              .patch(PatchContext.of(PatchType.JSON_MERGE), change);
    }
  }

  /** Deletes the benches and their ConfigMaps, which a server without controllers would keep. */
  void delete() {
    kubectl.resources(Bench.class).inNamespace(NAMESPACE).delete();
    for (int i = 0; i < size; i++) {
      kubectl.configMaps().inNamespace(NAMESPACE).withName("bench-" + i).delete();
    }
  }
}
