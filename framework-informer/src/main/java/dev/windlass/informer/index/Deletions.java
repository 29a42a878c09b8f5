// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;

/**
 * Objects that are deleted, by key and uid: several of one name may have come and gone while the
 * watch was late. Written by one thread at a time, read by any.
 */
final class Deletions {

  /**
   * An object that was deleted, or may have been.
   *
   * @param version of the last state that was known; -1 if none was
   * @param since when that was learned, in nanoseconds of the scheduler
   */
  record Gone(String uid, long version, long since) {

    /** Whether it is this object, or one that had the name before it. */
    boolean hides(CachedObject<?> state) {
      return state.uid().equals(uid) || (state.version() >= 0 && state.version() <= version);
    }

    /** Whether it is not known which states were before it. */
    boolean isDoubtful(long now) {
      return version < 0 && !isLongAgo(now);
    }

    /** Whether the store should have lost it by now. */
    boolean isUnconfirmed(long now) {
      return now - since >= WrittenState.CONFIRMED_WITHIN.toNanos();
    }

    /** Whether a list of this version shows that it won't come, or has come back. */
    boolean isOver(long listed, long now, boolean isStored) {
      boolean before = version >= 0 && version <= listed;
      return isLongAgo(now) || (before && !isStored);
    }

    boolean isLongAgo(long now) {
      return now - since >= WrittenState.FORGOTTEN_AFTER.toNanos();
    }
  }

  /** The inner maps are immutable. */
  private final Map<ObjectKey, Map<String, Gone>> byKey = new ConcurrentHashMap<>();

  /** How many keys there are. */
  int size() {
    return byKey.size();
  }

  Map<ObjectKey, Collection<Gone>> copy() {
    Map<ObjectKey, Collection<Gone>> copy = new HashMap<>();
    byKey.forEach((key, uids) -> copy.put(key, uids.values()));
    return copy;
  }

  /** The keys as they are while somebody looks. */
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

  /** Adds it; of what was known of that uid before, a later version stays. */
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

  /** Returns what was removed; of several under a key, the latest. */
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
