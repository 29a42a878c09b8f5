// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Records deleted objects by key and uid. The uid is necessary because several objects with the
 * same name may have been created and deleted while the watch lagged behind. Callers must ensure
 * that only one thread at a time writes. Any thread can read.
 */
final class DeletedObjects {

  /**
   * An object that was deleted, or that may have been deleted.
   *
   * @param uid the object's uid
   * @param version the object's last known version; -1 if no version is known
   * @param since the time at which the deletion was recorded, in nanoseconds on the scheduler's
   *     clock
   */
  record Gone(String uid, long version, long since) {

    /**
     * Returns whether this deletion hides the given object. This is the case if the given object is
     * the deleted one, or an earlier object with the same name.
     */
    boolean hides(CachedObject<?> state) {
      return state.uid().equals(uid) || (state.version() >= 0 && state.version() <= version);
    }

    /**
     * Returns whether it is unknown which objects with the same name are older than this deletion.
     * This is the case if the deletion is recent and no version of the deleted object is known.
     */
    boolean isDoubtful(long now) {
      return version < 0 && !isLongAgo(now);
    }

    /**
     * Returns whether this deletion is so old that the store should already have removed the
     * object.
     */
    boolean isUnconfirmed(long now) {
      return now - since >= UnconfirmedWrite.CONFIRMED_WITHIN.toNanos();
    }

    /**
     * Returns whether this entry is obsolete. This is the case if the deletion happened long ago,
     * or if the given list shows that the object will not appear in the store again.
     *
     * @param listed the resource version of the list
     * @param stored the object in the store; null if there is none
     */
    boolean isOver(long listed, long now, @Nullable CachedObject<?> stored) {
      boolean before = version >= 0 && version <= listed;
      return isLongAgo(now) || (before && (stored == null || !stored.uid().equals(uid)));
    }

    boolean isLongAgo(long now) {
      return now - since >= UnconfirmedWrite.FORGOTTEN_AFTER.toNanos();
    }
  }

  /** The deleted objects of each key, keyed by uid. The inner maps are immutable. */
  private final Map<ObjectKey, Map<String, Gone>> byKey = new ConcurrentHashMap<>();

  int size() {
    return byKey.size();
  }

  Map<ObjectKey, Collection<Gone>> copy() {
    Map<ObjectKey, Collection<Gone>> copy = new HashMap<>();
    byKey.forEach((key, uids) -> copy.put(key, uids.values()));
    return copy;
  }

  /** Returns a live view of the keys. */
  Set<ObjectKey> keys() {
    return byKey.keySet();
  }

  Collection<Gone> of(ObjectKey key) {
    return byKey.getOrDefault(key, Map.of()).values();
  }

  boolean has(ObjectKey key) {
    return byKey.containsKey(key);
  }

  boolean has(ObjectKey key, String uid) {
    return byKey.getOrDefault(key, Map.of()).containsKey(uid);
  }

  /**
   * Adds a deletion. If there is already an entry with the same uid, the new entry has the later of
   * the two versions.
   */
  void add(ObjectKey key, Gone gone) {
    Map<String, Gone> uids = new HashMap<>(byKey.getOrDefault(key, Map.of()));
    Gone before = uids.get(gone.uid());
    long last = before == null ? gone.version() : Math.max(before.version(), gone.version());
    uids.put(gone.uid(), new Gone(gone.uid(), last, gone.since()));
    byKey.put(key, Map.copyOf(uids));
  }

  void remove(ObjectKey key, String uid) {
    Map<String, Gone> left = new HashMap<>(byKey.getOrDefault(key, Map.of()));
    if (left.remove(uid) == null) {
      return;
    }
    if (left.isEmpty()) {
      byKey.remove(key);
    } else {
      byKey.put(key, Map.copyOf(left));
    }
  }

  /**
   * Removes the entries that meet the condition, and returns them. If several of them have the same
   * key, returns only the one with the highest version.
   */
  Map<ObjectKey, Gone> removeIf(BiPredicate<ObjectKey, Gone> condition) {
    Map<ObjectKey, Gone> removed = new HashMap<>();
    byKey.forEach(
        (key, uids) -> {
          for (Gone gone : uids.values()) {
            if (condition.test(key, gone)) {
              remove(key, gone.uid());
              removed.merge(key, gone, (a, b) -> a.version() > b.version() ? a : b);
            }
          }
        });
    return removed;
  }
}
