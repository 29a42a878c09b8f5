// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;

/** Reads from those informers that somebody else has asked for; never makes one of its own. */
public final class CachedClient implements Client {

  private final Client live;
  private final SharedInformerFactory informers;

  /**
   * A client over the caches of a factory.
   *
   * @param client for everything that no cache answers; stays the caller's to close. It should not
   *     repeat requests on its own: fabric8 would repeat creations, too
   */
  public CachedClient(KubernetesClient client, SharedInformerFactory informers) {
    this.live = new LiveClient(client);
    this.informers = informers;
  }

  @Override
  public <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key) {
    LiveClient.requireNamespace(type, key);
    Optional<SharedIndexInformer<T>> cache = cacheOf(type, key.namespace());
    return cache.isPresent() ? cache.get().lister().get(key) : live.get(type, key);
  }

  @Override
  public <T extends HasMetadata> List<T> list(Class<T> type, String namespace) {
    Optional<SharedIndexInformer<T>> cache = cacheOf(type, namespace);
    if (cache.isEmpty()) {
      return live.list(type, namespace);
    }
    return namespace.isEmpty() ? cache.get().lister().list() : cache.get().lister().list(namespace);
  }

  /** The cache that holds all objects of the type in the namespace, if there is one to read. */
  private <T extends HasMetadata> Optional<SharedIndexInformer<T>> cacheOf(
      Class<T> type, String namespace) {
    return informers
        .existing(type)
        .filter(SharedIndexInformer::hasSynced)
        .filter(informer -> holdsAllOf(namespace, informer));
  }

  private boolean holdsAllOf(String namespace, SharedIndexInformer<?> informer) {
    WatchScope scope = informers.defaultScope();
    // What lives in no namespace is watched as a whole, whatever the scope.
    return informer.type().namespaced() ? scope.covers(namespace) : scope.selectsAll();
  }

  @Override
  public <T extends HasMetadata> T create(T object) {
    return live.create(object);
  }

  @Override
  public <T extends HasMetadata> T update(T object) {
    return live.update(object);
  }

  @Override
  public <T extends HasMetadata> T updateStatus(T object) {
    return live.updateStatus(object);
  }

  @Override
  public <T extends HasMetadata> boolean delete(Class<T> type, ObjectKey key) {
    return live.delete(type, key);
  }

  @Override
  public Client uncached() {
    return live;
  }
}
