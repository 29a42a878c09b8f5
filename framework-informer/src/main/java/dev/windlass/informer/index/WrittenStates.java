// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The latest answer under each key, and what all of them take of the memory that is set aside for
 * them. Written by one thread at a time, read by any.
 */
final class WrittenStates<T> {

  /** How many states may wait to be confirmed. */
  static final int MAX_STATES = 10_000;

  /** How many bytes these may take: 64 MiB. */
  static final long MAX_BYTES = 64L * 1024 * 1024;

  /** How many states outside of the store may be known for longer than a minute. */
  static final int MAX_IDLE = 1_000;

  private final Map<ObjectKey, WrittenState<T>> byKey = new ConcurrentHashMap<>();

  private int states;

  private long bytes;

  /** How many keys there are. */
  int size() {
    return byKey.size();
  }

  /** The keys as they are while somebody looks. */
  Set<ObjectKey> keys() {
    return byKey.keySet();
  }

  @Nullable WrittenState<T> get(ObjectKey key) {
    return byKey.get(key);
  }

  Map<ObjectKey, WrittenState<T>> copy() {
    return new HashMap<>(byKey);
  }

  /** Whether there is room for this state, when the one that has its key is gone. */
  boolean hasRoomFor(CachedObject<T> state) {
    WrittenState<T> known = byKey.get(state.key());
    int others = states - (known == null || known.state() == null ? 0 : 1);
    long used = bytes - (known == null ? 0 : known.bytes());
    return others < MAX_STATES && used + state.sizeInBytes() <= MAX_BYTES;
  }

  void put(ObjectKey key, WrittenState<T> entry) {
    account(byKey.put(key, entry), -1);
    account(entry, 1);
  }

  void remove(ObjectKey key) {
    account(byKey.remove(key), -1);
  }

  void removeIf(Predicate<WrittenState<T>> condition) {
    byKey.forEach(
        (key, entry) -> {
          if (condition.test(entry)) {
            remove(key);
          }
        });
  }

  /**
   * Drops what the store has not had for a minute, if that is much: its watch may never confirm it,
   * and each list looks at it.
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

  private void account(@Nullable WrittenState<T> entry, int sign) {
    if (entry != null && entry.state() != null) {
      states += sign;
      bytes += (long) sign * entry.bytes();
    }
  }
}
