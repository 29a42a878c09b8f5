// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is in the cache already, for a {@link Reflector} that reads a list: a state that is known is
 * not kept a second time, and an audit compares. Called by the reflector's thread.
 *
 * @param <T> the typed class of the objects
 */
public interface KnownState<T> {

  /** The state that is known of an object. */
  @Nullable CachedObject<T> get(ObjectKey key);

  /** The keys of all objects that are known. */
  Collection<ObjectKey> keys();

  /** Nothing is known. */
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
