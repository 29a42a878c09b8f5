// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.time.Scheduler;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keys that are ready, each at most once, ordered by the time at which they became ready plus the
 * handicap of their priority; among equals, first come first served.
 *
 * <p>Times are monotonic nanoseconds and are given, never read. Not thread safe.
 */
final class ReadyQueue<T> {

  /**
   * A ready key. {@code turn} is its place in the order, {@code readySince} tells how it waited.
   */
  record Ready<T>(T key, Priority priority, long turn, long readySince, long sequence) {}

  private final TreeSet<Ready<T>> byTurn =
      new TreeSet<>(
          (a, b) -> {
            int turn = Long.signum(a.turn() - b.turn());
            return turn != 0 ? turn : Long.compare(a.sequence(), b.sequence());
          });
  private final Map<T, Ready<T>> byKey = new HashMap<>();
  private long sequence;

  /**
   * Adds the key, or moves it forward if the new priority gives it a better turn than it has.
   *
   * @return whether the key was not ready before
   */
  boolean add(T key, Priority priority, long now) {
    long turn = now + Scheduler.saturatedNanos(priority.handicap());
    Ready<T> old = byKey.get(key);
    if (old == null) {
      insert(new Ready<>(key, priority, turn, now, sequence++));
      return true;
    }
    if (turn - old.turn() < 0) {
      byTurn.remove(old);
      Priority best = old.priority().orMoreUrgent(priority);
      insert(new Ready<>(key, best, turn, old.readySince(), sequence++));
    }
    return false;
  }

  private void insert(Ready<T> entry) {
    byTurn.add(entry);
    byKey.put(entry.key(), entry);
  }

  /** Takes out the key whose turn it is; null if none is ready. */
  @Nullable Ready<T> poll() {
    Ready<T> entry = byTurn.pollFirst();
    if (entry != null) {
      byKey.remove(entry.key());
    }
    return entry;
  }

  boolean contains(T key) {
    return byKey.containsKey(key);
  }

  int size() {
    return byTurn.size();
  }
}
