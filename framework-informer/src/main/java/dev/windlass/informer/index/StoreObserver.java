// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import org.jspecify.annotations.Nullable;

/**
 * Receives each change to a {@link Store}. The store calls the methods on the writer's thread,
 * after the change has become visible to readers.
 *
 * @param <T> the Java class of the objects
 */
public interface StoreObserver<T> {

  /**
   * Receives an object that has been stored.
   *
   * @param before the object that was replaced; null if there was none
   */
  void stored(CachedObject<T> state, @Nullable CachedObject<T> before);

  /** Receives the last state of an object that the store has removed. */
  void removed(CachedObject<T> last);

  /**
   * Receives the resource version of a list after the complete list has been stored.
   *
   * @param version the list's resource version; -1 if it is not a number
   */
  void listed(long version);
}
