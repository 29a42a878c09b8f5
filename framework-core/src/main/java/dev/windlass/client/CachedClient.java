// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;

/** Reads from those informers that somebody else has asked for; never makes one of its own. */
public final class CachedClient implements Client {

  private final LiveClient live;
  private final SharedInformerFactory informers;

  /**
   * A client over the caches of a factory.
   *
   * @param client for everything that no cache answers; stays the caller's to close. It should not
   *     repeat requests on its own: fabric8 would repeat creations, too
   */
  public CachedClient(KubernetesClient client, SharedInformerFactory informers) {
    this(new LiveClient(client), informers);
  }

  private CachedClient(LiveClient live, SharedInformerFactory informers) {
    this.live = live;
    this.informers = informers;
  }

  @Override
  public <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key) {
    Types.requireNamespace(Types.of(type), key);
    Optional<SharedIndexInformer<T>> cache = cacheOf(type, key.namespace());
    return cache.isPresent() ? cache.get().lister().get(key) : live.get(type, key);
  }

  @Override
  public Optional<GenericKubernetesResource> get(ResourceType type, ObjectKey key) {
    return live.get(type, key);
  }

  @Override
  public <T extends HasMetadata> List<T> list(Class<T> type, ListOptions options) {
    Optional<SharedIndexInformer<T>> cache = cacheOf(type, options.namespace());
    if (cache.isEmpty() || !options.fieldSelector().isEmpty()) {
      return live.list(type, options);
    }
    List<T> found = cache.get().lister().list(options.query());
    return options.limit() == 0 || found.size() <= options.limit()
        ? found
        : found.subList(0, options.limit());
  }

  @Override
  public List<GenericKubernetesResource> list(ResourceType type, ListOptions options) {
    return live.list(type, options);
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
  public <T extends HasMetadata> T patch(T object, Patch patch) {
    return live.patch(object, patch);
  }

  @Override
  public <T extends HasMetadata> T apply(T object) {
    return live.apply(object);
  }

  @Override
  public <T extends HasMetadata> boolean delete(Class<T> type, ObjectKey key, DeleteOptions which) {
    return live.delete(type, key, which);
  }

  @Override
  public boolean delete(ResourceType type, ObjectKey key, DeleteOptions which) {
    return live.delete(type, key, which);
  }

  @Override
  public <T extends HasMetadata> void deleteAllOf(
      Class<T> type, ListOptions which, DeleteOptions how) {
    live.deleteAllOf(type, which, how);
  }

  @Override
  public SubresourceClient subresource(String name) {
    return live.subresource(name);
  }

  @Override
  public Client uncached() {
    return live;
  }

  @Override
  public Client dryRun() {
    return with(live.options().inDryRun());
  }

  @Override
  public Client withFieldOwner(String owner) {
    return with(live.options().withFieldOwner(owner));
  }

  @Override
  public Client withFieldValidation(FieldValidation validation) {
    return with(live.options().withValidation(validation));
  }

  @Override
  public Client withForce(boolean force) {
    return with(live.options().withForce(force));
  }

  private Client with(WriteOptions options) {
    return new CachedClient(live.with(options), informers);
  }
}
