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
 * The entries that are ready, in the order of their turns: the time at which they became ready plus
 * the handicap of their priority; among equal turns, who became ready first.
 *
 * <p>One lane, first in first out, per handicap. Time does not run back and a lane has one
 * handicap, so whoever joins a lane has the last turn of it; and whose turn it is of all stands at
 * the head of a lane. No tree is needed, as handicaps are few: a queue tells {@value #MOST} apart.
 *
 * <p>Times are monotonic nanoseconds and are given, never read; they must not decrease from call to
 * call. Not thread safe.
 */
final class ReadyLanes<T> {

  /** Each hand-out looks at the head of every lane. */
  static final int MOST = 64;

  /** The lane of one handicap, and how many ready entries have it. */
  static final class Lane<T> {
    final Priority priority;
    final long handicap;
    final EntryList<T> entries = new EntryList<>();

    /** How many ready entries are counted here, wherever they stand. */
    int depth;

    Lane(Priority priority) {
      this.priority = priority;
      this.handicap = Scheduler.saturatedNanos(priority.handicap());
    }
  }

  /** Greatest handicap first: of two equal turns, that with the greater one began to wait first. */
  private final List<Lane<T>> lanes = new ArrayList<>();

  private int size;

  /** Lines up an entry that is not ready yet. */
  void add(Entry<T> entry, Priority priority, long since) {
    Lane<T> lane = laneOf(priority);
    entry.priority = priority;
    entry.readyAt = since;
    entry.level = lane;
    lane.depth++;
    size++;
    lineUp(entry, lane, since);
  }

  /**
   * Gives a ready entry a more urgent priority, and the last place of that, unless the one it has
   * is better. A less urgent priority changes nothing.
   */
  void raise(Entry<T> entry, Priority priority, long now) {
    if (priority.compareTo(entry.priority) >= 0) {
      return;
    }
    Lane<T> lane = laneOf(priority);
    Objects.requireNonNull(entry.level).depth--;
    entry.level = lane;
    lane.depth++;
    entry.priority = priority;
    if (now + lane.handicap - entry.rank < 0) {
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
  @Nullable Entry<T> poll() {
    Entry<T> next = null;
    for (int i = 0; i < lanes.size(); i++) { // an iterator would be garbage
      Entry<T> head = lanes.get(i).entries.first();
      if (head != null && (next == null || head.rank - next.rank < 0)) {
        next = head;
      }
    }
    if (next != null) {
      Objects.requireNonNull(next.lane).entries.remove(next);
      Objects.requireNonNull(next.level).depth--;
      next.lane = null;
      next.level = null;
      size--;
    }
    return next;
  }

  int size() {
    return size;
  }

  /** How many are ready under each priority, those included that are known and have none. */
  Map<Priority, Integer> lengths() {
    Map<Priority, Integer> lengths = new TreeMap<>();
    lanes.forEach(lane -> lengths.put(lane.priority, lane.depth));
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
      lanes.removeIf(lane -> lane.entries.size() == 0 && lane.depth == 0);
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
