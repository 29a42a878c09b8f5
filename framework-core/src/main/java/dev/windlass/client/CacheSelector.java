// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.ResourceType;
import dev.windlass.object.selector.FieldSelector;
import dev.windlass.object.selector.Selector;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Finds the caches that can serve a read. A cache can serve a read only if it is certain to hold
 * every object that the result can contain. This class is thread-safe.
 */
final class CacheSelector {

  /**
   * Describes the objects that a read can return. A cache can serve the read only if it holds all
   * of these objects.
   *
   * @param namespace the namespace; empty for all namespaces, and for cluster-scoped types
   * @param labels the selector that an object's labels must match
   * @param fieldSelector the selector that an object's fields must match; empty for no restriction
   * @param indices the names of the indices that the read uses
   */
  record ReadScope(String namespace, Selector labels, String fieldSelector, List<String> indices) {}

  private final SharedInformerFactory informers;

  /**
   * The parsed label selectors of the caches, keyed by their text. The number of different
   * selectors is small.
   */
  private final Map<String, Selector> parsed = new ConcurrentHashMap<>();

  CacheSelector(SharedInformerFactory informers) {
    this.informers = informers;
  }

  /**
   * Returns the synced caches that watch the given namespace and hold the requested content. If the
   * namespace is empty, returns only caches that watch all namespaces.
   */
  List<SharedIndexInformer<?>> readable(
      ResourceType type, String namespace, RequestedContent content) {
    return reaching(type, namespace).filter(cache -> content.isIn(cache.spec())).toList();
  }

  /** Returns the synced caches that watch the given namespace, regardless of their content. */
  Stream<SharedIndexInformer<?>> reaching(ResourceType type, String namespace) {
    return informers.informers(type).stream()
        .filter(SharedIndexInformer::hasSynced)
        .filter(cache -> reaches(cache, namespace));
  }

  /**
   * Returns a cache that holds all objects that a list can contain. Prefers a cache that has the
   * indices that the list uses.
   */
  Optional<SharedIndexInformer<?>> covering(
      ResourceType type, ReadScope read, RequestedContent content) {
    List<SharedIndexInformer<?>> found =
        readable(type, read.namespace(), content).stream().filter(c -> covers(c, read)).toList();
    return found.size() < 2
        ? found.stream().findFirst()
        : Stream.concat(found.stream().filter(c -> hasIndices(c, read)), found.stream())
            .findFirst();
  }

  /** Returns whether the cache holds all objects of the namespaces that it watches. */
  static boolean isComplete(SharedIndexInformer<?> cache) {
    return cache.scope().selectsAll();
  }

  /**
   * Returns whether the cache watches the given namespace. The cache of a cluster-scoped type
   * always does, because it watches all objects.
   */
  static boolean reaches(SharedIndexInformer<?> cache, String namespace) {
    String watched = cache.scope().namespace();
    return !cache.type().namespaced() || watched.isEmpty() || watched.equals(namespace);
  }

  private boolean covers(SharedIndexInformer<?> cache, ReadScope read) {
    WatchScope scope = cache.scope();
    if (scope.selectsAll() && read.fieldSelector().isEmpty()) {
      return true;
    }
    return FieldSelector.parse(scope.fieldSelector())
            .equals(FieldSelector.parse(read.fieldSelector()))
        && read.labels().implies(parsed.computeIfAbsent(scope.labelSelector(), Selector::parse));
  }

  private static boolean hasIndices(SharedIndexInformer<?> cache, ReadScope read) {
    try {
      read.indices().forEach(cache.indexer()::indexValues);
      return true;
    } catch (IllegalArgumentException e) {
      return false; // if no cache has the indices, the read fails and names the existing ones
    }
  }
}
