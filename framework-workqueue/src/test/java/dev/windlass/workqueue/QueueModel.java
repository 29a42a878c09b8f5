// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a work queue promises, without any care for speed: every question is answered by a scan. */
final class QueueModel {

  /** A key that waits: when it is or was due, and since when it is overdue if it is ready. */
  record Place(Priority priority, long due, long overdueAt, long arrival) {}

  final Map<Integer, Place> delayed = new HashMap<>();
  final Map<Integer, Place> ready = new HashMap<>();
  final Map<Integer, Priority> again = new HashMap<>();
  final List<Integer> inWork = new ArrayList<>();
  final Map<Integer, Integer> failures = new HashMap<>();
  boolean shutDown;
  private long now;
  private long arrivals;

  /** Turns in a row that more urgent keys have had while one was overdue. */
  private int overtaken;

  boolean add(int key, Priority priority) {
    if (!shutDown) {
      Place delay = delayed.remove(key);
      makeReady(key, delay == null ? priority : delay.priority().orMoreUrgent(priority), now);
    }
    return !shutDown;
  }

  private void makeReady(int key, Priority priority, long since) {
    Place old = ready.get(key);
    if (inWork.contains(key)) {
      again.merge(key, priority, Priority::orMoreUrgent);
    } else if (old == null || priority.compareTo(old.priority()) < 0) {
      long overdueAt = since + priority.handicap().toNanos();
      ready.put(key, new Place(priority, since, overdueAt, arrivals++));
    }
  }

  boolean delay(int key, Priority priority, long nanos) {
    if (nanos <= 0) {
      return add(key, priority);
    }
    if (!shutDown && !ready.containsKey(key) && !again.containsKey(key)) {
      Place old = delayed.get(key);
      Priority best = old == null ? priority : old.priority().orMoreUrgent(priority);
      if (old == null || now + nanos < old.due()) {
        delayed.put(key, new Place(best, now + nanos, 0, arrivals++));
      } else {
        delayed.put(key, new Place(best, old.due(), 0, old.arrival()));
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
    Comparator<Map.Entry<Integer, Place>> byPriority =
        Comparator.comparing(e -> e.getValue().priority());
    Comparator<Map.Entry<Integer, Place>> byOverdue =
        Comparator.comparing(e -> e.getValue().overdueAt());
    Optional<Map.Entry<Integer, Place>> next =
        ready.entrySet().stream().min(byPriority.thenComparing(e -> e.getValue().arrival()));
    Optional<Map.Entry<Integer, Place>> overdue =
        ready.entrySet().stream()
            .filter(e -> e.getValue().overdueAt() <= now)
            .filter(e -> next.get().getValue().priority().compareTo(e.getValue().priority()) < 0)
            .min(
                byOverdue
                    .thenComparing(byPriority.reversed())
                    .thenComparing(e -> e.getValue().arrival()));
    if (overdue.isPresent()) {
      overtaken = (overtaken + 1) % ReadyQueue.SHARE;
    }
    Optional<Integer> key =
        (overdue.isPresent() && overtaken == 0 ? overdue : next).map(Map.Entry::getKey);
    key.ifPresent(ready::remove);
    key.ifPresent(inWork::add);
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
