// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.cache;

import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.object.ResourceType;
import dev.windlass.object.selector.FieldSelector;
import dev.windlass.object.selector.Selector;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Finds the caches that hold every object that may be in the result of a read. A cache qualifies
 * only if that is certain. Thread safe.
 */
public final class CoveringCaches {

  private final SharedInformerFactory informers;

  /** The parsed label selectors of caches; there are only a few. */
  private final Map<String, Selector> parsed = new ConcurrentHashMap<>();

  public CoveringCaches(SharedInformerFactory informers) {
    this.informers = informers;
  }

  /** Returns the caches that hold some of the objects of a namespace, or of all if it is empty. */
  public List<SharedIndexInformer<?>> readable(
      ResourceType type, String namespace, ObjectView view) {
    return informers.informers(type).stream()
        .filter(SharedIndexInformer::hasSynced)
        .filter(cache -> reaches(cache, namespace) && view.isIn(cache.spec()))
        .toList();
  }

  /**
   * Returns a cache that holds all objects that a list may contain, preferably one with its
   * indices.
   */
  public Optional<SharedIndexInformer<?>> covering(
      ResourceType type, ReadScope read, ObjectView view) {
    List<SharedIndexInformer<?>> found =
        readable(type, read.namespace(), view).stream().filter(c -> covers(c, read)).toList();
    return found.size() < 2
        ? found.stream().findFirst()
        : Stream.concat(found.stream().filter(c -> hasIndices(c, read)), found.stream())
            .findFirst();
  }

  /** Returns whether the cache holds all objects of the namespaces that it watches. */
  public static boolean isComplete(SharedIndexInformer<?> cache) {
    return cache.scope().selectsAll();
  }

  /**
   * Returns whether the cache watches a namespace. Cluster-scoped types are always watched as a
   * whole.
   */
  public static boolean reaches(SharedIndexInformer<?> cache, String namespace) {
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
      return false; // if no cache has them, a read throws and names the existing indices
    }
  }
}
