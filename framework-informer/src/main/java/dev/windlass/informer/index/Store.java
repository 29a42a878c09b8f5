// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.Optional;

/**
 * An {@link Indexer} that can be written, by one thread.
 *
 * @param <T> the typed class of the objects
 */
public interface Store<T> extends Indexer<T> {

  /**
   * Stores a state in place of the one with the same key, and returns the previous one, if there
   * was one. Calls the index functions first; if one fails, only its own index does without the
   * state.
   */
  Optional<CachedObject<T>> put(CachedObject<T> object);

  /** Removes the object with this key and returns it, if there was one. */
  Optional<CachedObject<T>> remove(ObjectKey key);

  /**
   * Reports whether a state, stored or not, meets all requirements of a query. Calls the functions
   * of the indices that the query names.
   *
   * @throws IllegalArgumentException if it names an index that does not exist; the message lists
   *     those that do
   */
  boolean matches(CachedObject<T> object, Query query);

  /**
   * Called after a list from the server has been stored completely: no object that was missing from
   * the list is left, and each object in the list is stored, as new as it was there.
   *
   * @param version the version of the list; -1 if it is not a number
   */
  void listed(long version);

  /** Sets the observer that is notified of each change from now on. Call it before any write. */
  void observe(StoreObserver<T> observer);

  /** Creates an empty store. */
  static <T> Store<T> create() {
    return new ConcurrentStore<>();
  }
}
