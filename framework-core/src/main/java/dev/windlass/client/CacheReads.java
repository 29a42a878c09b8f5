// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.informer.index.Overlay;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Answers reads from a cache where one holds all that may be the answer, and from the server where
 * none does, or where it is known to be behind what this process wrote. Thread safe.
 */
final class CacheReads {

  /** Up to so many unclear keys, a list asks for each; above, for all objects. */
  private static final int SINGLE_READS = 20;

  private final LiveClient live;
  private final SharedInformerFactory informers;
  private final boolean cacheOnFirstUse;

  CacheReads(LiveClient live, SharedInformerFactory informers, boolean cacheOnFirstUse) {
    this.live = live;
    this.informers = informers;
    this.cacheOnFirstUse = cacheOnFirstUse;
  }

  <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key) {
    Types.requireNamespace(ResourceType.of(type), key);
    Optional<SharedIndexInformer<T>> cache = cacheOf(type, key.namespace());
    return cache.isEmpty() || cache.get().overlay().isUnclear(key)
        ? live.get(type, key)
        : cache.get().overlay().lister().get(key);
  }

  <T extends HasMetadata> List<T> list(Class<T> type, ListParams options) {
    Optional<SharedIndexInformer<T>> cache =
        options.fieldSelector().isEmpty() ? cacheOf(type, options.namespace()) : Optional.empty();
    if (cache.isEmpty()) {
      if (!options.indexValues().isEmpty()) {
        throw new IllegalStateException(whyNoIndex(type, options));
      }
      return live.list(type, options);
    }
    List<T> found = list(cache.get(), type, options);
    return options.limit() == 0 || found.size() <= options.limit()
        ? found
        : found.subList(0, options.limit());
  }

  private <T extends HasMetadata> List<T> list(
      SharedIndexInformer<T> cache, Class<T> type, ListParams options) {
    Overlay<T> overlay = cache.overlay();
    Set<ObjectKey> unclear = overlay.unclearKeys(options.namespace());
    if (unclear.size() > SINGLE_READS || overlay.isAnyUnclear(options.namespace())) {
      List<T> found = live.list(type, options.withoutIndices());
      found.removeIf(object -> !matches(cache, object, options));
      return found;
    }
    List<T> found = overlay.lister().list(options.query());
    if (!unclear.isEmpty()) {
      found.removeIf(object -> unclear.contains(ObjectKey.of(object)));
      for (ObjectKey key : unclear) {
        live.get(type, key).filter(object -> matches(cache, object, options)).ifPresent(found::add);
      }
    }
    return found;
  }

  private static <T extends HasMetadata> boolean matches(
      SharedIndexInformer<T> cache, T object, ListParams options) {
    return cache.overlay().matches(cache.codec().encode(object), options.query());
  }

  /** Why a list by an index has no cache to ask, and what to do about it. */
  private <T extends HasMetadata> String whyNoIndex(Class<T> type, ListParams options) {
    ResourceType resource = ResourceType.of(type);
    List<SharedIndexInformer<T>> watched =
        specs(type, options.namespace()).stream()
            .flatMap(spec -> informers.existing(spec).stream())
            .toList();
    String list =
        "a list of %s by the index %s is answered by a cache only, and "
            .formatted(resource, options.indexValues().get(0).index());
    if (watched.isEmpty()) {
      return list
          + "none holds these objects: watch the type with a controller, or name it with"
          + " Manager.cache";
    }
    return watched.stream().anyMatch(informer -> holdsAllOf(options.namespace(), informer))
        ? list
            + "the cache of %s has not synced yet; in an event handler use".formatted(resource)
            + " ControllerBuilder.watchesReferenced, or the indexer of the cache"
            + " (Manager.cache), which can be read at any time"
        : list
            + "that of %s holds only %s: list what it holds, or watch more"
                .formatted(resource, watched.get(0).scope());
  }

  /** The cache that holds all objects of the type in the namespace, if there is one to read. */
  <T extends HasMetadata> Optional<SharedIndexInformer<T>> cacheOf(
      Class<T> type, String namespace) {
    Optional<SharedIndexInformer<T>> found =
        specs(type, namespace).stream().flatMap(spec -> readable(spec, namespace)).findFirst();
    if (found.isEmpty() && cacheOnFirstUse && type != Secret.class) {
      informers.informer(type);
      informers.startIfStarted();
    }
    return found;
  }

  /** What an informer may be of that holds the objects of a namespace, the widest first. */
  private <T extends HasMetadata> List<InformerSpec<T>> specs(Class<T> type, String namespace) {
    InformerSpec<T> spec = InformerSpec.of(type);
    InformerSpec<T> byDefault = spec.in(informers.defaultScope());
    return namespace.isEmpty() || !spec.type().namespaced()
        ? List.of(spec, byDefault)
        : List.of(spec, spec.in(WatchScope.namespace(namespace)), byDefault);
  }

  private <T> Stream<SharedIndexInformer<T>> readable(InformerSpec<T> spec, String namespace) {
    return informers.existing(spec).stream()
        .filter(SharedIndexInformer::hasSynced)
        .filter(informer -> holdsAllOf(namespace, informer));
  }

  private static boolean holdsAllOf(String namespace, SharedIndexInformer<?> informer) {
    WatchScope scope = informer.scope();
    // What lives in no namespace is watched as a whole, whatever the scope.
    return informer.type().namespaced() ? scope.covers(namespace) : scope.selectsAll();
  }
}
