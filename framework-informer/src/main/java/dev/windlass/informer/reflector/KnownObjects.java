// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives a {@link Reflector} read access to the cached objects. If a listed object has not changed,
 * the reflector uses the cached instance, to save memory. An audit compares the cached objects with
 * the server's objects. Only the reflector's thread calls the methods.
 *
 * @param <T> the Java class of the objects
 */
public interface KnownObjects<T> {

  /** Returns the cached object with the given key, or null if there is none. */
  @Nullable CachedObject<T> get(ObjectKey key);

  /** Returns the keys of all cached objects. */
  Collection<ObjectKey> keys();

  /** Returns an instance without objects. */
  static <T> KnownObjects<T> nothing() {
    return new KnownObjects<>() {
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
