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
 * The queue of the ready entries. Entries with a more urgent priority are served first. Entries
 * with the same priority are served in order of arrival.
 *
 * <p>To prevent starvation, an entry becomes <em>overdue</em> when it has waited for the handicap
 * of its priority. While a less urgent entry is overdue, one in {@value #SHARE} entries served is
 * the entry that has been overdue for the longest time. The other entries are served in order of
 * urgency, even if many entries are overdue.
 *
 * <p>Each priority has a lane, which is a first-in, first-out list. All entries of a lane have the
 * same handicap, and times never decrease. The entry that has been overdue for the longest time is
 * therefore the head of a lane. Finding it does not require a tree, because there are at most
 * {@value #MOST} lanes.
 *
 * <p>Times are readings of a monotonic clock, in nanoseconds, and must not decrease from call to
 * call. The caller provides them; this class does not read a clock. This class is not thread-safe.
 */
final class ReadyQueue<T> {

  /**
   * The reciprocal of the share of overdue entries. While entries are overdue, one in four entries
   * served is overdue. For example, the objects of an initial list are processed even while many
   * changes arrive, and the changes take at most a third longer. With a share of one in two, the
   * changes would take twice as long.
   */
  static final int SHARE = 4;

  /**
   * The maximum number of lanes. The number is limited because the heads of all lanes are checked
   * each time a worker takes a key. If all lanes are in use, the entries of a further priority join
   * the lane of the next more urgent priority.
   */
  static final int MOST = 64;

  /** The ready entries of one priority, in the order in which they were added to the lane. */
  static final class Lane<T> {
    final Priority priority;
    final long handicap;
    final QueueEntryList<T> entries = new QueueEntryList<>();

    Lane(Priority priority) {
      this.priority = priority;
      this.handicap = Scheduler.saturatedNanos(priority.handicap());
    }
  }

  /** The lanes, the least urgent priority first. */
  private final List<Lane<T>> lanes = new ArrayList<>();

  private int size;

  /**
   * The number of more urgent entries that were served since an overdue entry was last served.
   * Entries are counted only if a less urgent entry was overdue when they were served.
   */
  private int overtaken;

  void add(QueueEntry<T> entry, Priority priority, long since) {
    entry.priority = priority;
    entry.readyAt = since;
    size++;
    lineUp(entry, laneOf(priority), since);
  }

  /**
   * Raises the priority of a ready entry, and moves the entry to the end of the lane of the new
   * priority. Has no effect if the new priority is not more urgent.
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
    remove(next);
    return next;
  }

  void remove(QueueEntry<T> entry) {
    Objects.requireNonNull(entry.lane).entries.remove(entry);
    entry.lane = null;
    size--;
  }

  /**
   * Returns the entry that has been overdue for the longest time in the lanes that are less urgent
   * than the given lane. Returns null if these lanes contain no overdue entry.
   *
   * @param urgent the index of the lane
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
   * Returns the number of ready entries in the lane of each priority. The result can contain
   * priorities without entries, with the value 0.
   */
  Map<Priority, Integer> lengths() {
    Map<Priority, Integer> lengths = new TreeMap<>();
    lanes.forEach(lane -> lengths.put(lane.priority, lane.entries.size()));
    return lengths;
  }

  /**
   * Returns the waiting time of the lane head that has been ready for the longest time, in
   * nanoseconds. Returns 0 if all lanes are empty.
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
