// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import dev.windlass.object.CachedObject;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Another cache of the same type, which may receive a change later than the cache that reports it.
 * Each cache has a watch of its own. A reconcile that one cache has started may read the object
 * from the other, which must not return the older state. Until the other cache has received the
 * change, the key is therefore {@linkplain Overlay#isUnclear unclear} in it. This class is
 * thread-safe.
 *
 * @param overlay the overlay of the other cache
 * @param selects returns whether the other cache watches a state of an object, or empty if only the
 *     server can evaluate this
 */
public record OtherCache(Overlay<?> overlay, Function<CachedObject<?>, Optional<Boolean>> selects) {

  /** Receives a state that the first cache has stored. */
  void stored(CachedObject<?> state) {
    CachedObject<?> known = known(state);
    if (!isOlder(known, state.version())) {
      return;
    }
    Optional<Boolean> selected = selects.apply(state);
    if (selected.orElse(known != null)) {
      overlay.unclear(state.key(), state.uid(), state.version());
    } else if (known != null) {
      overlay.outside(state.key(), state.uid(), state.version());
    }
  }

  private @Nullable CachedObject<?> known(CachedObject<?> state) {
    return overlay.get(state.key()).orElse(null);
  }

  /**
   * Returns whether the other cache has not received the given version. Returns false for a cache
   * without a complete list, because such a cache is not read.
   */
  private boolean isOlder(@Nullable CachedObject<?> known, long version) {
    return known == null
        ? overlay.isBehind(version)
        : known.version() < version && overlay.isBehind(Long.MAX_VALUE);
  }

  /**
   * Receives the last state of an object that the first cache has removed. The object was deleted,
   * or it was changed so that the first cache does not watch it anymore.
   */
  void removed(CachedObject<?> last) {
    CachedObject<?> known = known(last);
    long next = last.version() + 1;
    if (last.version() >= 0
        && known != null
        && known.uid().equals(last.uid())
        && isOlder(known, next)) {
      overlay.unclear(last.key(), last.uid(), next);
    }
  }
}
