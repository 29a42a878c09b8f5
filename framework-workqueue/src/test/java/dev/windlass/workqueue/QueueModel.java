// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a work queue promises, without any care for speed: every question is answered by a scan. */
final class QueueModel {

  /** A key that waits, and when it is or was due. */
  record Place(Priority priority, long due, long arrival) {}

  final Map<Integer, Place> delayed = new HashMap<>();
  final Map<Integer, Place> ready = new HashMap<>();
  final Map<Integer, Priority> again = new HashMap<>();
  final List<Integer> inWork = new ArrayList<>();
  final Map<Integer, Integer> failures = new HashMap<>();
  boolean shutDown;
  private long now;
  private long arrivals;

  /** The groups with ready keys of each priority, in the order of their turns. */
  private final Map<Priority, List<Integer>> turns = new TreeMap<>();

  /** Since when there have been ready keys of each priority. */
  private final Map<Priority, Long> since = new HashMap<>();

  /** Turns in a row that more urgent keys have had while a priority was overdue. */
  private int overtaken;

  /** The priority that had the last turn because it was overdue. */
  private Priority served = Priority.NORMAL;

  static int groupOf(int key) {
    return key % 3;
  }

  boolean add(int key, Priority priority) {
    if (!shutDown) {
      Place delay = delayed.remove(key);
      makeReady(key, delay == null ? priority : delay.priority().orMoreUrgent(priority), now);
    }
    return !shutDown;
  }

  private void makeReady(int key, Priority priority, long due) {
    Place old = ready.get(key);
    if (inWork.contains(key)) {
      again.merge(key, priority, Priority::orMoreUrgent);
    } else if (old == null || priority.compareTo(old.priority()) < 0) {
      remove(key);
      ready.put(key, new Place(priority, due, arrivals++));
      since.putIfAbsent(priority, due);
      List<Integer> groups = turns.computeIfAbsent(priority, p -> new ArrayList<>());
      if (!groups.contains(groupOf(key))) {
        groups.add(groupOf(key));
      }
    }
  }

  private void remove(int key) {
    Place place = ready.remove(key);
    if (place != null && waiting(place.priority(), groupOf(key)).isEmpty()) {
      turns.get(place.priority()).remove((Integer) groupOf(key));
      if (turns.get(place.priority()).isEmpty()) {
        turns.remove(place.priority());
        since.remove(place.priority());
      }
    }
  }

  private List<Integer> waiting(Priority priority, int group) {
    return ready.entrySet().stream()
        .filter(e -> e.getValue().priority().equals(priority) && groupOf(e.getKey()) == group)
        .sorted(Comparator.comparing(e -> e.getValue().arrival()))
        .map(Map.Entry::getKey)
        .toList();
  }

  boolean delay(int key, Priority priority, long nanos) {
    if (nanos <= 0) {
      return add(key, priority);
    }
    if (!shutDown && !ready.containsKey(key) && !again.containsKey(key)) {
      Place old = delayed.get(key);
      Priority best = old == null ? priority : old.priority().orMoreUrgent(priority);
      if (old == null || now + nanos < old.due()) {
        delayed.put(key, new Place(best, now + nanos, arrivals++));
      } else {
        delayed.put(key, new Place(best, old.due(), old.arrival()));
      }
    }
    return !shutDown;
  }

  /** Empty if the key is given up, else as {@link #delay}. */
  Optional<Boolean> fail(int key, Priority priority, int maxRetries) {
    if (failures.getOrDefault(key, 0) >= maxRetries) {
      failures.remove(key);
      return Optional.empty();
    }
    int before = failures.merge(key, 1, Integer::sum) - 1;
    return Optional.of(delay(key, priority, 5_000_000L << before));
  }

  Optional<Integer> poll() {
    Optional<Priority> next = turns.keySet().stream().findFirst();
    List<Priority> overdue =
        turns.keySet().stream()
            .skip(1)
            .filter(each -> since.get(each) + each.handicap().toNanos() <= now)
            .toList();
    if (!overdue.isEmpty()) {
      overtaken = (overtaken + 1) % ReadyQueue.SHARE;
      if (overtaken == 0) {
        Optional<Priority> following =
            overdue.stream().filter(each -> each.compareTo(served) > 0).findFirst();
        served = following.orElse(overdue.get(0));
        next = Optional.of(served);
      }
    }
    Optional<Integer> key = next.map(this::first);
    key.ifPresent(inWork::add);
    return key;
  }

  private int first(Priority priority) {
    List<Integer> groups = turns.get(priority);
    Integer group = groups.get(0);
    int key = waiting(priority, group).get(0);
    remove(key);
    if (groups.remove(group)) {
      groups.add(group);
    }
    return key;
  }

  void close(int key) {
    inWork.remove((Integer) key);
    Priority noted = again.remove(key);
    if (noted != null) {
      makeReady(key, noted, now);
    }
  }

  void advance(long nanos) {
    now += nanos;
    Comparator<Map.Entry<Integer, Place>> byDue = Comparator.comparing(e -> e.getValue().due());
    delayed.entrySet().stream()
        .filter(e -> e.getValue().due() <= now)
        .sorted(byDue.thenComparing(e -> e.getValue().arrival()))
        .toList()
        .forEach(
            e -> {
              Place place = e.getValue();
              delayed.remove(e.getKey());
              makeReady(e.getKey(), place.priority(), place.due());
            });
  }

  void shutDown() {
    shutDown = true;
    delayed.clear();
  }

  boolean isIdle() {
    return ready.isEmpty() && inWork.isEmpty();
  }
}
