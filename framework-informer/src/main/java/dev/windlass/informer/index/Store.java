// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.Optional;

/**
 * An {@link Indexer} to which one thread can write.
 *
 * @param <T> the Java class of the objects
 */
public interface Store<T> extends Indexer<T> {

  /**
   * Stores a state and returns the state with the same key that it replaces, if there is one. Calls
   * the index functions first. If a function fails, the state is missing only from that function's
   * index.
   */
  Optional<CachedObject<T>> put(CachedObject<T> object);

  /** Removes the object with this key and returns it, if it exists. */
  Optional<CachedObject<T>> remove(ObjectKey key);

  /**
   * Returns whether a state, stored or not, meets all requirements of a query. Calls the functions
   * of the indices that the query names.
   *
   * @throws IllegalArgumentException if the query names an index that does not exist; the message
   *     lists the existing indices
   */
  boolean matches(CachedObject<T> object, Query query);

  /**
   * Records that the writer has stored a list from the server completely. The writer calls this
   * method after it has removed the objects that were missing from the list, and has stored each
   * object in the list at its listed version or a later one.
   *
   * @param version the list's resource version; -1 if it is not a number
   */
  void listed(long version);

  /**
   * Sets the observer that the store notifies of each change. Call this method before any write.
   */
  void observe(StoreObserver<T> observer);

  /** Creates an empty store. */
  static <T> Store<T> create() {
    return new ConcurrentStore<>();
  }
}
