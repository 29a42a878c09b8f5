// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import dev.windlass.informer.index.IndexFunction;
import dev.windlass.informer.index.Indexer;
import dev.windlass.informer.index.Lister;
import dev.windlass.informer.index.Query;
import dev.windlass.informer.index.Store;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An indexer that reads from a store. Subclasses overlay the store with objects that it has not
 * received yet. The sizes and the index values do not include overlaid objects.
 */
abstract class OverlaidIndexer<T> implements Indexer<T> {

  private final Store<T> store;
  private final Lister<T> lister = new Lister<>(this);

  /** The caches to inform of each change that the store receives. */
  volatile OtherCache[] others = {};

  OverlaidIndexer(Store<T> store) {
    this.store = store;
  }

  /**
   * Returns a lister that reads from this indexer. If a key is {@linkplain Overlay#isUnclear
   * unclear}, the lister can return an outdated object.
   */
  public Lister<T> lister() {
    return lister;
  }

  public boolean matches(CachedObject<T> object, Query query) {
    return store.matches(object, query);
  }

  /** Sets the other caches to inform of each change that the store receives. */
  public void inform(List<OtherCache> caches) {
    others = caches.toArray(new OtherCache[0]);
  }

  @Override
  public List<CachedObject<T>> list() {
    return list(Query.ALL);
  }

  @Override
  public List<CachedObject<T>> byIndex(String index, String value) {
    return list(Query.ALL.withIndex(index, value));
  }

  @Override
  public Set<ObjectKey> keys() {
    Set<ObjectKey> keys = new HashSet<>();
    list().forEach(object -> keys.add(object.key()));
    return keys;
  }

  /** Returns the number of objects in the store. Overlaid objects are not counted. */
  @Override
  public int size() {
    return store.size();
  }

  /** Returns the size of the objects in the store, in bytes. Overlaid objects are not counted. */
  @Override
  public long bytes() {
    return store.bytes();
  }

  /** Returns the values in the given index of the store. Overlaid objects are not considered. */
  @Override
  public Set<String> indexValues(String index) {
    return store.indexValues(index);
  }

  @Override
  public void addIndex(String index, IndexFunction<T> function) {
    store.addIndex(index, function);
  }

  @Override
  public long indexFailures() {
    return store.indexFailures();
  }
}
