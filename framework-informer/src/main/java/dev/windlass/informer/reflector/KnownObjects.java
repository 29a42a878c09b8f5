// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives a {@link Reflector} read access to the objects in the cache. A list reuses the known state
 * of an object that has not changed instead of storing a copy, and an audit compares the known
 * states with the server's. The reflector's thread calls the methods.
 *
 * @param <T> the Java class of the objects
 */
public interface KnownObjects<T> {

  /** Returns the known state of an object, or null if the object is unknown. */
  @Nullable CachedObject<T> get(ObjectKey key);

  /** Returns the keys of all known objects. */
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
