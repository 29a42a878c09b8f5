// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import org.jspecify.annotations.Nullable;

/**
 * Receives each change to a {@link Store}. The store calls the methods on the writer's thread, as
 * soon as readers can see the change.
 *
 * @param <T> the Java class of the objects
 */
public interface StoreObserver<T> {

  /**
   * Receives a state that the store has stored.
   *
   * @param before the state that was replaced; null if there was none
   */
  void stored(CachedObject<T> state, @Nullable CachedObject<T> before);

  /** Receives the last state of an object that the store has removed. */
  void removed(CachedObject<T> last);

  /**
   * Receives the version of a list that the store has stored as a whole.
   *
   * @param version the list's resource version; -1 if it is not a number
   */
  void listed(long version);
}
