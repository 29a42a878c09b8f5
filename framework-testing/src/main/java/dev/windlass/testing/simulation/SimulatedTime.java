// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import dev.windlass.scheduling.Scheduler;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * The virtual time of a simulation, and the tasks that are scheduled in it. This class does not run
 * the tasks. The simulation chooses the next task to run from all work that is due. This class is
 * not thread-safe.
 */
final class SimulatedTime {

  /** The wall-clock time at the beginning of a simulation. */
  private static final Instant ORIGIN = Instant.parse("2026-01-01T00:00:00Z");

  private record Task(long dueAt, long sequence, BooleanSupplier wanted, Runnable action) {}

  private final TreeSet<Task> tasks =
      new TreeSet<>(
          (a, b) ->
              a.dueAt() != b.dueAt()
                  ? Long.compare(a.dueAt(), b.dueAt())
                  : Long.compare(a.sequence(), b.sequence()));
  private long now;
  private long sequence;

  long nanoTime() {
    return now;
  }

  /**
   * Schedules an action and returns a function that cancels it.
   *
   * @param wanted returns whether the action is still needed; if not, it does not run
   */
  Runnable schedule(Runnable action, Duration delay, BooleanSupplier wanted) {
    long wait = Math.max(0, Scheduler.saturatedNanos(delay));
    Task task = new Task(now + wait, sequence++, wanted, action);
    tasks.add(task);
    return () -> tasks.remove(task);
  }

  /** Returns the number of tasks that are due. */
  int due() {
    dropUnwanted();
    int due = 0;
    for (Task task : tasks) {
      if (task.dueAt() > now) {
        break;
      }
      due++;
    }
    return due;
  }

  /**
   * Removes a due task and returns its action.
   *
   * @param index the index of the task among the due tasks, from 0
   */
  Runnable takeDue(int index) {
    List<Task> due = new ArrayList<>();
    for (Task task : tasks) {
      due.add(task);
      if (due.size() > index) {
        break;
      }
    }
    Task chosen = due.get(index);
    tasks.remove(chosen);
    return chosen.wanted().getAsBoolean() ? chosen.action() : () -> {};
  }

  /** Returns the time until the next task, or empty if there is none. */
  Optional<Duration> untilNext() {
    dropUnwanted();
    return tasks.isEmpty()
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.max(0, tasks.first().dueAt() - now)));
  }

  void advance(Duration by) {
    now += by.toNanos();
  }

  private void dropUnwanted() {
    while (!tasks.isEmpty() && !tasks.first().wanted().getAsBoolean()) {
      tasks.remove(tasks.first());
    }
  }

  /** Returns a scheduler for one process. Its tasks are dropped when the process ends. */
  Scheduler scheduler(BooleanSupplier alive) {
    return new Scheduler() {
      @Override
      public long nanoTime() {
        return now;
      }

      @Override
      public Alarm schedule(Runnable task, Duration delay) {
        return SimulatedTime.this.schedule(task, delay, alive)::run;
      }
    };
  }

  Clock clock() {
    InstantSource source = () -> ORIGIN.plusNanos(now);
    return source.withZone(ZoneOffset.UTC);
  }
}
