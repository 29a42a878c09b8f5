// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.Optional;

/**
 * An {@link Indexer} with its writing side, which belongs to one thread.
 *
 * @param <T> the typed class of the objects
 */
public interface Store<T> extends Indexer<T> {

  /**
   * Puts the state in place of the one under its key, and returns that, if there was one. Asks the
   * functions of the indices first; one that fails keeps the state out of its index only.
   */
  Optional<CachedObject<T>> put(CachedObject<T> object);

  /** Takes out what is under the key and returns it, if there was something. */
  Optional<CachedObject<T>> remove(ObjectKey key);

  /**
   * Whether a state, stored or not, meets all requirements of a query. Asks the functions of the
   * indices that the query names.
   *
   * @throws IllegalArgumentException if it names an index that is not there, naming those that are
   */
  boolean matches(CachedObject<T> object, Query query);

  /**
   * A list of the server has been taken in as a whole: no object that it lacked is left, and each
   * that it had is here, as new as it was in the list.
   *
   * @param version of the list; -1 if that is no number
   */
  default void listed(long version) {}

  /** An empty store. */
  static <T> Store<T> create() {
    return new ConcurrentStore<>();
  }
}
