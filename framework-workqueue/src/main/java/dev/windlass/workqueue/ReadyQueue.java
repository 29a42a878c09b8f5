// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.scheduling.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The ready entries, in the order in which they are served: the more urgent priority first, and
 * first in, first out within a priority. An entry that has waited for its handicap is
 * <em>overdue</em>. While entries are overdue, one in {@value #SHARE} entries served is the entry
 * that has been overdue for the longest time, even if other entries are more urgent.
 *
 * <p>This share limits how long less urgent entries can be overtaken, but does not invert the
 * order. Even if many entries are overdue, at most one overdue entry is served before each group of
 * three more urgent entries.
 *
 * <p>Each handicap has one lane, which is first in, first out. Times never decrease and all entries
 * of a lane have the same handicap, so the entry that has been overdue longest is at the head of a
 * lane. A tree is not necessary, because a queue distinguishes only {@value #MOST} handicaps.
 *
 * <p>Times are in monotonic nanoseconds and must not decrease from call to call. The caller passes
 * them in, because this class never reads a clock. This class is not thread-safe.
 */
final class ReadyQueue<T> {

  /**
   * The share of overdue entries: one in four entries served. While many changes arrive, a quarter
   * of the entries served are listed objects, so that the list is eventually processed, and changes
   * take at most a third longer. With a share of one in two, changes would take twice as long.
   */
  static final int SHARE = 4;

  /**
   * The maximum number of lanes. It is limited because the heads of all lanes are inspected each
   * time a worker takes a key.
   */
  static final int MOST = 64;

  /** Contains the ready entries of one handicap, in the order in which they joined the lane. */
  static final class Lane<T> {
    final Priority priority;
    final long handicap;
    final QueueEntryList<T> entries = new QueueEntryList<>();

    Lane(Priority priority) {
      this.priority = priority;
      this.handicap = Scheduler.saturatedNanos(priority.handicap());
    }
  }

  /** The lanes, ordered by decreasing handicap. */
  private final List<Lane<T>> lanes = new ArrayList<>();

  private int size;

  /**
   * The number of more urgent entries that were served consecutively while another entry was
   * overdue.
   */
  private int overtaken;

  /** Adds an entry that is not ready yet. */
  void add(QueueEntry<T> entry, Priority priority, long since) {
    entry.priority = priority;
    entry.readyAt = since;
    size++;
    lineUp(entry, laneOf(priority), since);
  }

  /**
   * Moves a ready entry to the end of the lane of a more urgent priority. A less urgent priority
   * has no effect.
   */
  void raise(QueueEntry<T> entry, Priority priority, long now) {
    if (priority.compareTo(entry.priority) >= 0) {
      return;
    }
    entry.priority = priority;
    Lane<T> lane = laneOf(priority);
    if (lane != entry.lane) {
      Objects.requireNonNull(entry.lane).entries.remove(entry);
      lineUp(entry, lane, now);
    }
  }

  private void lineUp(QueueEntry<T> entry, Lane<T> lane, long now) {
    entry.lane = lane;
    entry.rank = now + lane.handicap;
    lane.entries.append(entry);
  }

  /** Removes and returns the entry to serve next, or returns null if no entry is ready. */
  @Nullable QueueEntry<T> poll(long now) {
    int urgent = lanes.size() - 1;
    while (urgent >= 0 && lanes.get(urgent).entries.first() == null) {
      urgent--;
    }
    if (urgent < 0) {
      return null;
    }
    QueueEntry<T> next = Objects.requireNonNull(lanes.get(urgent).entries.first());
    QueueEntry<T> overdue = overdue(urgent, now);
    if (overdue != null) {
      overtaken++;
      if (overtaken == SHARE) {
        next = overdue;
        overtaken = 0;
      }
    }
    Objects.requireNonNull(next.lane).entries.remove(next);
    next.lane = null;
    size--;
    return next;
  }

  /**
   * Returns the entry that has been overdue longest in the lanes before the given lane, or null if
   * these lanes do not contain overdue entries.
   */
  private @Nullable QueueEntry<T> overdue(int urgent, long now) {
    QueueEntry<T> first = null;
    for (int i = 0; i < urgent; i++) { // an iterator would create garbage
      QueueEntry<T> head = lanes.get(i).entries.first();
      if (head != null && head.rank - now <= 0 && (first == null || head.rank - first.rank < 0)) {
        first = head;
      }
    }
    return first;
  }

  int size() {
    return size;
  }

  /**
   * Returns the number of ready entries per priority, including known priorities without entries.
   */
  Map<Priority, Integer> lengths() {
    Map<Priority, Integer> lengths = new TreeMap<>();
    lanes.forEach(lane -> lengths.put(lane.priority, lane.entries.size()));
    return lengths;
  }

  /**
   * Returns the longest waiting time, in nanoseconds, of the heads of all lanes, or 0 if all lanes
   * are empty.
   */
  long longestWait(long now) {
    long longest = 0;
    for (Lane<T> lane : lanes) {
      QueueEntry<T> head = lane.entries.first();
      if (head != null) {
        longest = Math.max(longest, now - head.readyAt);
      }
    }
    return longest;
  }

  private Lane<T> laneOf(Priority priority) {
    for (int i = 0; i < lanes.size(); i++) {
      if (lanes.get(i).priority.equals(priority)) {
        return lanes.get(i);
      }
    }
    if (lanes.size() == MOST) {
      lanes.removeIf(lane -> lane.entries.size() == 0);
    }
    int place = 0;
    while (place < lanes.size() && lanes.get(place).priority.compareTo(priority) > 0) {
      place++;
    }
    if (lanes.size() == MOST) {
      return lanes.get(Math.min(place, MOST - 1)); // the next more urgent lane
    }
    Lane<T> lane = new Lane<>(priority);
    lanes.add(place, lane);
    return lane;
  }
}
