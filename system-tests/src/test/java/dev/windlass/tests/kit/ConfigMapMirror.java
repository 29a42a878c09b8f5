// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.kit;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.concurrent.TimeUnit;

/**
 * Copies each ConfigMap with the label {@code mirror=true} into another namespace, using
 * server-side apply.
 */
public final class ConfigMapMirror implements AutoCloseable {

  private final KubernetesClient client;
  private final String target;
  private final SharedIndexInformer<ConfigMap> informer;

  /**
   * Starts copying.
   *
   * @param client the client to use; the caller must close it after closing the mirror
   * @param target the namespace of the copies
   */
  public ConfigMapMirror(KubernetesClient client, String target) {
    this.client = client;
    this.target = target;
    this.informer =
        client.configMaps().inAnyNamespace().withLabel("mirror", "true").inform(new Copier());
  }

  private final class Copier implements ResourceEventHandler<ConfigMap> {
    @Override
    public void onAdd(ConfigMap map) {
      copy(map);
    }

    @Override
    public void onUpdate(ConfigMap old, ConfigMap map) {
      copy(map);
    }

    @Override
    public void onDelete(ConfigMap map, boolean finalStateUnknown) {
      client.configMaps().inNamespace(target).withName(map.getMetadata().getName()).delete();
    }
  }

  private void copy(ConfigMap map) {
    ConfigMap copy =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(target)
            .withName(map.getMetadata().getName())
            .endMetadata()
            .withData(map.getData())
            .build();
    client.resource(copy).fieldManager("mirror").forceConflicts().serverSideApply();
  }

  /** Stops copying. The copies remain. */
  @Override
  public void close() {
    informer.close();
  }

  /** Copies ConfigMaps into the namespace {@code mirror} until the process is stopped. */
  public static void main(String[] args) throws InterruptedException {
    try (KubernetesClient client = new KubernetesClientBuilder().build();
        ConfigMapMirror mirror = new ConfigMapMirror(client, "mirror")) {
      while (mirror.informer.isRunning()) {
        TimeUnit.SECONDS.sleep(10);
      }
    }
  }
}
