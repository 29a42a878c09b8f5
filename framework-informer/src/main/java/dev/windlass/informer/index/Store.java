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

  /** An empty store. */
  static <T> Store<T> create() {
    return new ConcurrentStore<>();
  }
}
