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
 * The entries that are ready, in the order of their turns: the more urgent priority first, and
 * first in first out within one. An entry that has waited for its handicap is <em>overdue</em>; of
 * {@value #SHARE} turns one goes to the entry that has been so for longest, whatever is more
 * urgent.
 *
 * <p>The share bounds how long the less urgent are overtaken without an inversion of the order:
 * however many of them are overdue, a more urgent entry waits for one of them at most before each
 * three of its own kind.
 *
 * <p>One lane, first in first out, per handicap. Time does not run back and a lane has one
 * handicap, so who has been overdue for longest stands at the head of a lane. No tree is needed, as
 * handicaps are few: a queue tells {@value #MOST} apart.
 *
 * <p>Times are monotonic nanoseconds and are given, never read; they must not decrease from call to
 * call. Not thread safe.
 */
final class ReadyLanes<T> {

  /**
   * Of so many turns one is for who is overdue: four. A flood of changes leaves a quarter of the
   * workers to what was listed, so that it comes to an end, and changes take a third longer at
   * most; at two they would take twice as long.
   */
  static final int SHARE = 4;

  /** Each hand-out looks at the head of every lane. */
  static final int MOST = 64;

  /** The lane of one handicap, and how many ready entries have it. */
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

  /** How many turns more urgent entries have had in a row while another one was overdue. */
  private int overtaken;

  /** Lines up an entry that is not ready yet. */
  void add(Entry<T> entry, Priority priority, long since) {
    entry.priority = priority;
    entry.readyAt = since;
    size++;
    lineUp(entry, laneOf(priority), since);
  }

  /**
   * Gives a ready entry a more urgent priority, and the last place of that. A less urgent priority
   * changes nothing.
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

  /** Takes out the entry whose turn it is; null if none is ready. */
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

  /** Which one has been overdue for longest in the lanes before the given one; null if none is. */
  private @Nullable Entry<T> overdue(int urgent, long now) {
    Entry<T> first = null;
    for (int i = 0; i < urgent; i++) { // an iterator would be garbage
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

  /** How many are ready under each priority, those included that are known and have none. */
  Map<Priority, Integer> lengths() {
    Map<Priority, Integer> lengths = new TreeMap<>();
    lanes.forEach(lane -> lengths.put(lane.priority, lane.entries.size()));
    return lengths;
  }

  /** The longest wait, in nanoseconds, of those who stand at the head of a lane; 0 without any. */
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
