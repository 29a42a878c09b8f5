// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of the cache, as read by a {@link Reflector}. A list does not hold a second copy of
 * known states, and audits compare known states with the server's. Called by the reflector's
 * thread.
 *
 * @param <T> the typed class of the objects
 */
public interface KnownState<T> {

  /** Returns the known state of an object; null if there is none. */
  @Nullable CachedObject<T> get(ObjectKey key);

  /** Returns the keys of all known objects. */
  Collection<ObjectKey> keys();

  /** Returns an empty instance. */
  static <T> KnownState<T> nothing() {
    return new KnownState<>() {
      @Override
      public @Nullable CachedObject<T> get(ObjectKey key) {
        return null;
      }

      @Override
      public Collection<ObjectKey> keys() {
        return List.of();
      }
    };
  }
}
