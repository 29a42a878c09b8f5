// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import dev.windlass.informer.index.Query;
import dev.windlass.informer.index.Store;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of everything that is known about one key.
 *
 * @param stored the object in the store; null if there is none. The caller must read it after
 *     {@code written}, because the overlay drops a write only after the store has received it
 * @param written the latest write to an object with this key; null if there is none
 * @param gone the deleted objects with this key
 * @param now the current time, in nanoseconds on the scheduler's clock
 * @param newest the highest version that the store has received
 */
record KeySnapshot<T>(
    @Nullable CachedObject<T> stored,
    @Nullable UnconfirmedWrite<T> written,
    Collection<DeletedObjects.Gone> gone,
    long now,
    long newest) {

  @Nullable CachedObject<T> shown() {
    CachedObject<T> latest = stored;
    if (written != null
        && (written.state() != null || written.outside())
        && written.isNewerThan(stored)
        && !written.isForgotten(now, newest)) {
      latest = written.state();
    }
    CachedObject<T> candidate = latest;
    return candidate != null && gone.stream().anyMatch(object -> object.hides(candidate))
        ? null
        : candidate;
  }

  /** Returns whether only the server can provide the current state of the object. */
  boolean isUnclear() {
    if (written != null && written.isUnclear(stored, now, newest)) {
      return true;
    }
    return gone.stream().anyMatch(object -> object.isDoubtful(now))
        ? shown() != null
        : stored != null
            && gone.stream().anyMatch(object -> object.isUnconfirmed(now))
            && shown() == null;
  }

  /**
   * Returns the objects that readers see for a query. For a key with overlaid writes or deletions,
   * the query is compared with the object that {@link #shown} returns, and not with the stored
   * object.
   */
  static <T> List<CachedObject<T>> list(
      Store<T> store,
      Query query,
      Map<ObjectKey, UnconfirmedWrite<T>> written,
      Map<ObjectKey, Collection<DeletedObjects.Gone>> gone,
      long now,
      long newest) {
    Set<ObjectKey> overlaid = new HashSet<>(gone.keySet());
    overlaid.addAll(written.keySet());
    List<CachedObject<T>> found = new ArrayList<>();
    for (CachedObject<T> stored : store.list(query)) {
      if (!overlaid.contains(stored.key())) {
        found.add(stored);
      }
    }
    for (ObjectKey key : overlaid) {
      CachedObject<T> shown =
          new KeySnapshot<>(
                  store.get(key).orElse(null),
                  written.get(key),
                  gone.getOrDefault(key, List.of()),
                  now,
                  newest)
              .shown();
      if (shown != null && store.matches(shown, query)) {
        found.add(shown);
      }
    }
    return found;
  }
}
