// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import org.jspecify.annotations.Nullable;

/**
 * Receives each change to a {@link Store} on the writer's thread, as soon as readers can see the
 * change.
 *
 * @param <T> the Java class of the objects
 */
public interface StoreObserver<T> {

  /**
   * Called after a state has been stored.
   *
   * @param before the state that was replaced; null if there was none
   */
  void stored(CachedObject<T> state, @Nullable CachedObject<T> before);

  /** Called after an object has been removed. */
  void removed(CachedObject<T> last);

  /**
   * Called after a whole list has been stored.
   *
   * @param version the list's resource version; -1 if it is not a number
   */
  void listed(long version);
}
