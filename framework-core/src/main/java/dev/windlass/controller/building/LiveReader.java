// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.client.Client;
import dev.windlass.client.ListParams;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.ReadableObjects;
import dev.windlass.object.Transform;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads objects of one type from the server. Returns only objects that match the selectors of the
 * given spec. The type does not need a Java class.
 *
 * @param client a client without caches
 * @param spec the type of the objects, with its selectors
 */
record LiveReader<T extends HasMetadata>(Client client, InformerSpec<T> spec)
    implements Function<ObjectKey, Optional<T>> {

  /** Creates a reader that returns objects in the form in which the cache holds them. */
  public LiveReader {
    if (spec.codec().projection() == Projection.METADATA) {
      client = client.reading(Projection.METADATA);
    } else if (!spec.transform().equals(Transform.NONE)) {
      client = client.reading(spec.transform());
    }
  }

  @Override
  public Optional<T> apply(ObjectKey key) {
    WatchScope scope = spec.scope();
    return scope.selectsAll() ? get(key) : selected(key, scope).all().stream().findFirst();
  }

  private Optional<T> get(ObjectKey key) {
    return isGeneric()
        ? client.get(spec.type(), key).map(this::typed)
        : client.get(spec.codec().target(), key);
  }

  /** Reads one object with a list request, because only list requests support selectors. */
  private ReadableObjects<T> selected(ObjectKey key, WatchScope scope) {
    String named = "metadata.name=" + key.name();
    ListParams options =
        ListParams.in(key.namespace())
            .withFields(
                scope.fieldSelector().isEmpty() ? named : scope.fieldSelector() + "," + named);
    if (!scope.labelSelector().isEmpty()) {
      options = options.withLabels(scope.labelSelector());
    }
    return list(options);
  }

  /** Returns all objects in the given namespace, or in all namespaces if the name is empty. */
  public ReadableObjects<T> list(String namespace) {
    WatchScope scope = spec.scope();
    ListParams params = ListParams.in(namespace).withFields(scope.fieldSelector());
    if (!scope.labelSelector().isEmpty()) {
      params = params.withLabels(scope.labelSelector());
    }
    return list(params);
  }

  private ReadableObjects<T> list(ListParams params) {
    return isGeneric()
        ? new ReadableObjects<>(
            client.list(spec.type(), params).stream().map(this::typed).toList(), Map.of())
        : client.listReadable(spec.codec().target(), params);
  }

  /**
   * Returns the metadata of an object, even if the object does not fit its class, in an object
   * without a class. Ignores the selectors.
   */
  public Optional<GenericKubernetesResource> metadata(ObjectKey key) {
    return client.reading(Projection.METADATA).get(spec.type(), key);
  }

  private boolean isGeneric() {
    return spec.codec().target() == GenericKubernetesResource.class;
  }

  private T typed(GenericKubernetesResource object) {
    return spec.codec().target().cast(object);
  }
}
