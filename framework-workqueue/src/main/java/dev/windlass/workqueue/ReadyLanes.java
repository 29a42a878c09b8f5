// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.time.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The ready entries, in the order of their turns: the more urgent priority first, and first in,
 * first out within a priority. An entry that has waited for its handicap is <em>overdue</em>; one
 * in {@value #SHARE} turns goes to the entry that has been overdue longest, even if others are more
 * urgent.
 *
 * <p>This share bounds how long less urgent entries are overtaken without inverting the order: even
 * if many of them are overdue, at most one of them is served before each three more urgent entries.
 *
 * <p>Each handicap has one lane, first in, first out. Time does not run backwards and all entries
 * of a lane have the same handicap, so the entry that has been overdue longest is at the head of a
 * lane. No tree is needed, because there are few handicaps: a queue distinguishes {@value #MOST}.
 *
 * <p>Times are monotonic nanoseconds, passed in and never read from a clock; they must not decrease
 * from call to call. Not thread safe.
 */
final class ReadyLanes<T> {

  /**
   * One in this many turns goes to an overdue entry: four. During a flood of changes, listed
   * objects receive a quarter of the turns, so that the list is eventually processed, and changes
   * take at most a third longer; with a share of two they would take twice as long.
   */
  static final int SHARE = 4;

  /** The maximum number of lanes: each hand-out looks at the head of every lane. */
  static final int MOST = 64;

  /** The lane of one handicap, with its ready entries. */
  static final class Lane<T> {
    final Priority priority;
    final long handicap;
    final EntryList<T> entries = new EntryList<>();

    Lane(Priority priority) {
      this.priority = priority;
      this.handicap = Scheduler.saturatedNanos(priority.handicap());
    }
  }

  /** Greatest handicap first. */
  private final List<Lane<T>> lanes = new ArrayList<>();

  private int size;

  /** The number of consecutive turns of more urgent entries while another one was overdue. */
  private int overtaken;

  /** Adds an entry that is not ready yet. */
  void add(Entry<T> entry, Priority priority, long since) {
    entry.priority = priority;
    entry.readyAt = since;
    size++;
    lineUp(entry, laneOf(priority), since);
  }

  /**
   * Moves a ready entry to the last place of a more urgent priority. A less urgent priority has no
   * effect.
   */
  void raise(Entry<T> entry, Priority priority, long now) {
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

  private void lineUp(Entry<T> entry, Lane<T> lane, long now) {
    entry.lane = lane;
    entry.rank = now + lane.handicap;
    lane.entries.append(entry);
  }

  /** Removes and returns the entry whose turn it is; null if none is ready. */
  @Nullable Entry<T> poll(long now) {
    int urgent = lanes.size() - 1;
    while (urgent >= 0 && lanes.get(urgent).entries.first() == null) {
      urgent--;
    }
    if (urgent < 0) {
      return null;
    }
    Entry<T> next = Objects.requireNonNull(lanes.get(urgent).entries.first());
    Entry<T> overdue = overdue(urgent, now);
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
   * Returns the entry that has been overdue longest in the lanes before the given one; null if none
   * is overdue.
   */
  private @Nullable Entry<T> overdue(int urgent, long now) {
    Entry<T> first = null;
    for (int i = 0; i < urgent; i++) { // an iterator would create garbage
      Entry<T> head = lanes.get(i).entries.first();
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

  /** Returns the longest wait, in nanoseconds, of the heads of all lanes; 0 if there are none. */
  long longestWait(long now) {
    long longest = 0;
    for (Lane<T> lane : lanes) {
      Entry<T> head = lane.entries.first();
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
      return lanes.get(Math.min(place, MOST - 1)); // the next more urgent one
    }
    Lane<T> lane = new Lane<>(priority);
    lanes.add(place, lane);
    return lane;
  }
}
