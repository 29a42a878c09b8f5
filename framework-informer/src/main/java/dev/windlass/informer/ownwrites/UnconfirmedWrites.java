// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import dev.windlass.informer.index.Indexer;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The most recent {@link UnconfirmedWrite} for each key. One memory limit applies to all keys
 * together. Any thread can read. Callers must ensure that only one thread writes at a time.
 */
final class UnconfirmedWrites<T> {

  /** The maximum number of entries that contain an object: 10,000. */
  static final int MAX_STATES = 10_000;

  /** The maximum total size of the objects in the entries, in bytes: 64 MiB. */
  static final long MAX_BYTES = 64L * 1024 * 1024;

  /** The threshold for {@link #removeIdle}: 1,000 entries. */
  static final int MAX_IDLE = 1_000;

  private final Map<ObjectKey, UnconfirmedWrite<T>> byKey = new ConcurrentHashMap<>();

  private int states;

  private long bytes;

  int size() {
    return byKey.size();
  }

  /** Returns a live view of the keys. */
  Set<ObjectKey> keys() {
    return byKey.keySet();
  }

  @Nullable UnconfirmedWrite<T> get(ObjectKey key) {
    return byKey.get(key);
  }

  Map<ObjectKey, UnconfirmedWrite<T>> copy() {
    return new HashMap<>(byKey);
  }

  /**
   * Returns whether the object fits within the limits if it replaces the previous object with the
   * same key.
   */
  boolean hasRoomFor(CachedObject<T> state) {
    UnconfirmedWrite<T> known = byKey.get(state.key());
    int others = states - (known == null || known.state() == null ? 0 : 1);
    long used = bytes - (known == null ? 0 : known.bytes());
    return others < MAX_STATES && used + state.sizeInBytes() <= MAX_BYTES;
  }

  void put(ObjectKey key, UnconfirmedWrite<T> entry) {
    account(byKey.put(key, entry), -1);
    account(entry, 1);
  }

  void remove(ObjectKey key) {
    account(byKey.remove(key), -1);
  }

  void removeIf(BiPredicate<ObjectKey, UnconfirmedWrite<T>> condition) {
    byKey.forEach(
        (key, entry) -> {
          if (condition.test(key, entry)) {
            remove(key);
          }
        });
  }

  /**
   * Drops all {@linkplain UnconfirmedWrite#isIdle idle} entries if there are more than {@link
   * #MAX_IDLE} entries in total. The watch may never deliver the writes of idle entries, and every
   * list must examine them.
   */
  void removeIdle(Indexer<T> store, long now) {
    if (byKey.size() <= MAX_IDLE) {
      return;
    }
    byKey.forEach(
        (key, entry) -> {
          if (entry.isIdle(store.get(key).orElse(null), now)) {
            remove(key);
          }
        });
  }

  private void account(@Nullable UnconfirmedWrite<T> entry, int sign) {
    if (entry != null && entry.state() != null) {
      states += sign;
      bytes += (long) sign * entry.bytes();
    }
  }
}
