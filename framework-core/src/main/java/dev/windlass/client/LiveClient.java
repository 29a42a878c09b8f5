// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Optional;

/** Every call is a request. */
final class LiveClient implements Client {

  private final KubernetesClient client;

  LiveClient(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key) {
    return Optional.ofNullable(resource(type, key).get());
  }

  @Override
  public <T extends HasMetadata> List<T> list(Class<T> type, String namespace) {
    var all = client.resources(type);
    return namespace.isEmpty()
        ? all.inAnyNamespace().list().getItems()
        : all.inNamespace(namespace).list().getItems();
  }

  @Override
  public <T extends HasMetadata> T create(T object) {
    return client.resource(object).create();
  }

  @Override
  public <T extends HasMetadata> T update(T object) {
    return client.resource(object).update();
  }

  @Override
  public <T extends HasMetadata> T updateStatus(T object) {
    return client.resource(object).updateStatus();
  }

  @Override
  public <T extends HasMetadata> boolean delete(Class<T> type, ObjectKey key) {
    return !resource(type, key).delete().isEmpty();
  }

  private <T extends HasMetadata> Resource<T> resource(Class<T> type, ObjectKey key) {
    requireNamespace(type, key);
    var all = client.resources(type);
    return key.namespace().isEmpty()
        ? all.withName(key.name())
        : all.inNamespace(key.namespace()).withName(key.name());
  }

  /** Else fabric8 takes the namespace of the kubeconfig: another object than was asked for. */
  static void requireNamespace(Class<?> type, ObjectKey key) {
    if (key.namespace().isEmpty() && Namespaced.class.isAssignableFrom(type)) {
      throw new IllegalArgumentException(
          "a " + type.getSimpleName() + " lives in a namespace, and '" + key + "' names none");
    }
  }

  @Override
  public Client uncached() {
    return this;
  }
}
