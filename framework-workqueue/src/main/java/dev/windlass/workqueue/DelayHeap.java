// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keys that wait for a point in time, each at most once: the earliest deadline of a key counts.
 *
 * <p>Times are monotonic nanoseconds and are given, never read. Not thread safe.
 */
final class DelayHeap<T> {

  /** A key and when it is due; the sequence number makes entries of one time distinct, in order. */
  record Delayed<T>(T key, Priority priority, long dueAt, long sequence) {}

  private final TreeSet<Delayed<T>> byTime =
      new TreeSet<>(
          (a, b) -> {
            int byDue = Long.signum(a.dueAt() - b.dueAt());
            return byDue != 0 ? byDue : Long.compare(a.sequence(), b.sequence());
          });
  private final Map<T, Delayed<T>> byKey = new HashMap<>();
  private long sequence;

  /** Lets the key wait until {@code dueAt}, or keeps its earlier deadline. */
  void add(T key, Priority priority, long dueAt) {
    Delayed<T> old = byKey.get(key);
    if (old != null) {
      Priority best = old.priority().orMoreUrgent(priority);
      if (old.dueAt() - dueAt <= 0 && best.equals(old.priority())) {
        return;
      }
      byTime.remove(old);
      insert(key, best, old.dueAt() - dueAt <= 0 ? old.dueAt() : dueAt);
      return;
    }
    insert(key, priority, dueAt);
  }

  private void insert(T key, Priority priority, long dueAt) {
    Delayed<T> entry = new Delayed<>(key, priority, dueAt, sequence++);
    byTime.add(entry);
    byKey.put(key, entry);
  }

  /** Takes the key out, whenever it is due; returns its entry, or null if it does not wait. */
  @Nullable Delayed<T> remove(T key) {
    Delayed<T> entry = byKey.remove(key);
    if (entry != null) {
      byTime.remove(entry);
    }
    return entry;
  }

  /** Takes out the key with the earliest deadline if that has come; else returns null. */
  @Nullable Delayed<T> pollDue(long now) {
    if (byTime.isEmpty() || byTime.first().dueAt() - now > 0) {
      return null;
    }
    Delayed<T> entry = byTime.first();
    byTime.remove(entry);
    byKey.remove(entry.key());
    return entry;
  }

  /** The earliest deadline, if any key waits. */
  OptionalLong nextDue() {
    return byTime.isEmpty() ? OptionalLong.empty() : OptionalLong.of(byTime.first().dueAt());
  }

  int size() {
    return byTime.size();
  }

  void clear() {
    byTime.clear();
    byKey.clear();
  }
}
