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
 * Stores deleted objects by key and uid. The uid is necessary because several objects with one name
 * may have been created and deleted while the watch lagged behind. Callers must ensure that only
 * one thread at a time writes. Any thread can read.
 */
final class DeletedObjects {

  /**
   * An object that was deleted, or that may have been deleted.
   *
   * @param uid the object's uid
   * @param version the version of the last known state; -1 if the state was unknown
   * @param since the time when the deletion became known, in nanoseconds of the scheduler
   */
  record Gone(String uid, long version, long since) {

    /**
     * Returns whether this deletion hides a state, which is the case if the state belongs to this
     * object or to an earlier object with the same name.
     */
    boolean hides(CachedObject<?> state) {
      return state.uid().equals(uid) || (state.version() >= 0 && state.version() <= version);
    }

    /** Returns whether it is unknown which states preceded the deletion. */
    boolean isDoubtful(long now) {
      return version < 0 && !isLongAgo(now);
    }

    /** Returns whether the store should have removed the object by now. */
    boolean isUnconfirmed(long now) {
      return now - since >= UnconfirmedWrite.CONFIRMED_WITHIN.toNanos();
    }

    /**
     * Returns whether the entry is obsolete after a list with the given version. This is the case
     * if the list shows that the object will not appear in the store, or if the deletion happened
     * long ago.
     */
    boolean isOver(long listed, long now, @Nullable CachedObject<?> stored) {
      boolean before = version >= 0 && version <= listed;
      return isLongAgo(now) || (before && (stored == null || !stored.uid().equals(uid)));
    }

    boolean isLongAgo(long now) {
      return now - since >= UnconfirmedWrite.FORGOTTEN_AFTER.toNanos();
    }
  }

  /** The deleted objects of each key, by uid. The inner maps are immutable. */
  private final Map<ObjectKey, Map<String, Gone>> byKey = new ConcurrentHashMap<>();

  /** Returns the number of keys. */
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
   * Adds a deletion. If the uid is already known with a later version, the later version is kept.
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
   * Removes matching entries and returns them. Of several entries with the same key, returns only
   * the latest entry.
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
