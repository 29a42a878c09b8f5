// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Reads typed objects out of an {@link Indexer}. Each read decodes afresh, so what it returns
 * belongs to the caller, who may change it.
 *
 * <p>All methods may be called from any thread. They throw {@link
 * dev.windlass.object.UndecodableException} when they meet an object that does not fit the class.
 *
 * @param <T> the typed class of the objects
 */
public final class Lister<T> {

  private final Indexer<T> indexer;

  /** A lister over an indexer. */
  public Lister(Indexer<T> indexer) {
    this.indexer = indexer;
  }

  /** The object under the key, if there is one. */
  public Optional<T> get(ObjectKey key) {
    return indexer.get(key).map(CachedObject::decode);
  }

  /** All objects, in no order. */
  public List<T> list() {
    return list(object -> true);
  }

  /** The objects of a namespace, in no order. */
  public List<T> list(String namespace) {
    return decode(indexer.byIndex(Indexer.BY_NAMESPACE, namespace), object -> true);
  }

  /** The objects that a filter lets through; what it drops is not decoded. */
  public List<T> list(Predicate<CachedObject<T>> filter) {
    return decode(indexer.list(), filter);
  }

  private List<T> decode(List<CachedObject<T>> objects, Predicate<CachedObject<T>> filter) {
    return objects.stream().filter(filter).map(CachedObject::decode).toList();
  }
}
