// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.scheduling.Scheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The queue of the ready entries. Each priority has a lane. In a lane, the groups that have ready
 * entries take turns, and the entries of a group are served in order of arrival. An entry therefore
 * waits for one entry of each other group, however many there are in these groups.
 *
 * <p>Lanes with a more urgent priority are served first. To prevent starvation, a lane becomes
 * <em>overdue</em> when it has had entries without interruption for the handicap of its priority.
 * While less urgent lanes are overdue, one in {@value #SHARE} entries served is from one of them,
 * each in turn. The other entries are served in order of urgency, even if many entries are overdue.
 *
 * <p>Times are readings of a monotonic clock, in nanoseconds, and must not decrease from call to
 * call. The caller provides them; this class does not read a clock. This class is not thread-safe.
 */
final class ReadyQueue<T> {

  /**
   * The reciprocal of the share of overdue lanes. While lanes are overdue, one in four entries
   * served is from one of them. For example, the objects of an initial list are processed even
   * while many changes arrive, and the changes take at most a third longer. With a share of one in
   * two, the changes would take twice as long.
   */
  static final int SHARE = 4;

  /**
   * The maximum number of lanes. The number is limited because all lanes are checked each time a
   * worker takes a key. If all lanes are in use, the entries of a further priority join the lane of
   * the next more urgent priority.
   */
  static final int MOST = 64;

  /** The number of groups in a lane from which on its memory is released when the lane is empty. */
  private static final int MANY = 1_024;

  /** The ready entries of one priority whose keys are in the same group. */
  static final class Group<T> {
    final Lane<T> lane;
    private final Object name;
    private final QueueEntryList<T> entries = new QueueEntryList<>();

    // The neighbours in the ring of the groups that take turns.
    private Group<T> previous = this;
    private Group<T> next = this;

    Group(Lane<T> lane, Object name) {
      this.lane = lane;
      this.name = name;
    }
  }

  /** The ready entries of one priority. */
  static final class Lane<T> {
    final Priority priority;
    private final long handicap;

    /** The groups that have entries, by their names. */
    private Map<Object, Group<T>> groups = new HashMap<>();

    /** The group whose turn it is. The others follow in a ring. Null if the lane is empty. */
    private @Nullable Group<T> turn;

    private int size;
    private int mostGroups;
    private long overdueAt;

    Lane(Priority priority) {
      this.priority = priority;
      this.handicap = Scheduler.saturatedNanos(priority.handicap());
    }

    void append(QueueEntry<T> entry, long now) {
      if (size++ == 0) {
        overdueAt = now + handicap;
      }
      Group<T> group = groups.get(entry.groupName);
      if (group == null) {
        group = lineUp(new Group<>(this, entry.groupName));
      }
      entry.group = group;
      group.entries.append(entry);
    }

    /** Adds a group, whose turn comes after those of all others. */
    private Group<T> lineUp(Group<T> group) {
      groups.put(group.name, group);
      mostGroups = Math.max(mostGroups, groups.size());
      Group<T> first = turn;
      if (first == null) {
        turn = group;
      } else {
        group.previous = first.previous;
        group.next = first;
        first.previous.next = group;
        first.previous = group;
      }
      return group;
    }

    /** Removes the next entry of the group whose turn it is. The lane must not be empty. */
    QueueEntry<T> poll() {
      Group<T> group = Objects.requireNonNull(turn);
      turn = group.next;
      QueueEntry<T> entry = Objects.requireNonNull(group.entries.first());
      remove(entry);
      return entry;
    }

    void remove(QueueEntry<T> entry) {
      Group<T> group = Objects.requireNonNull(entry.group);
      entry.group = null;
      group.entries.remove(entry);
      size--;
      if (group.entries.size() == 0) {
        drop(group);
      }
    }

    private void drop(Group<T> group) {
      group.previous.next = group.next;
      group.next.previous = group.previous;
      groups.remove(group.name);
      if (size == 0) {
        turn = null;
        groups = mostGroups < MANY ? groups : new HashMap<>();
        mostGroups = 0;
      } else if (turn == group) {
        turn = group.next;
      }
    }

    boolean isOverdue(long now) {
      return size > 0 && overdueAt - now <= 0;
    }

    /** Returns when the entry became ready that has waited longest among the next of the groups. */
    long oldest(long now) {
      long oldest = now;
      for (Group<T> group : groups.values()) {
        QueueEntry<T> next = Objects.requireNonNull(group.entries.first());
        oldest = next.readyAt - oldest < 0 ? next.readyAt : oldest;
      }
      return oldest;
    }
  }

  /** The lanes, the least urgent priority first. */
  private final List<Lane<T>> lanes = new ArrayList<>();

  private int size;

  /**
   * The number of more urgent entries that were served since an overdue lane was last served.
   * Entries are counted only if a less urgent lane was overdue when they were served.
   */
  private int overtaken;

  /** The priority of the lane that was last served because it was overdue. */
  private Priority lastOverdue = Priority.NORMAL;

  void add(QueueEntry<T> entry, Priority priority, long since) {
    entry.priority = priority;
    entry.readyAt = since;
    size++;
    laneOf(priority).append(entry, since);
  }

  /**
   * Raises the priority of a ready entry, and moves the entry to the end of its group in the lane
   * of the new priority. Has no effect if the new priority is not more urgent.
   */
  void raise(QueueEntry<T> entry, Priority priority, long now) {
    if (priority.compareTo(entry.priority) >= 0) {
      return;
    }
    entry.priority = priority;
    Lane<T> former = Objects.requireNonNull(entry.group).lane;
    Lane<T> lane = laneOf(priority);
    if (lane != former) {
      former.remove(entry);
      lane.append(entry, now);
    }
  }

  @Nullable QueueEntry<T> poll(long now) {
    int urgent = lanes.size() - 1;
    while (urgent >= 0 && lanes.get(urgent).size == 0) {
      urgent--;
    }
    if (urgent < 0) {
      return null;
    }
    Lane<T> next = lanes.get(urgent);
    Lane<T> overdue = overdue(urgent, now);
    if (overdue != null) {
      overtaken++;
      if (overtaken == SHARE) {
        next = overdue;
        lastOverdue = overdue.priority;
        overtaken = 0;
      }
    }
    size--;
    return next.poll();
  }

  void remove(QueueEntry<T> entry) {
    Objects.requireNonNull(entry.group).lane.remove(entry);
    size--;
  }

  /**
   * Returns the overdue lane whose turn it is, among the lanes that are less urgent than the given
   * lane. Returns null if none of them is overdue.
   *
   * @param urgent the index of the lane
   */
  private @Nullable Lane<T> overdue(int urgent, long now) {
    Lane<T> first = null;
    for (int i = urgent - 1; i >= 0; i--) { // an iterator would create garbage
      Lane<T> lane = lanes.get(i);
      if (lane.isOverdue(now)) {
        if (lane.priority.compareTo(lastOverdue) > 0) {
          return lane;
        }
        first = first == null ? lane : first;
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
    lanes.forEach(lane -> lengths.put(lane.priority, lane.size));
    return lengths;
  }

  /**
   * Returns the longest waiting time of the entries that are the next ones of their groups, in
   * nanoseconds. Returns 0 if there are no entries.
   */
  long longestWait(long now) {
    long longest = 0;
    for (Lane<T> lane : lanes) {
      longest = Math.max(longest, now - lane.oldest(now));
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
      lanes.removeIf(lane -> lane.size == 0);
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
