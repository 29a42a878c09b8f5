// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler for tests, whose virtual time stands still until a test advances it. {@link #advance}
 * then runs the tasks that have become due, in order, on the test's thread. This includes tasks
 * that are scheduled by other tasks and become due in the same period.
 *
 * <p>This class is thread-safe. It holds no lock while a task runs.
 */
public final class ManualScheduler implements Scheduler {

  private record Task(long dueAt, long sequence, Runnable action) {}

  private final TreeSet<Task> tasks =
      new TreeSet<>(
          (a, b) ->
              a.dueAt() != b.dueAt()
                  ? Long.compare(a.dueAt(), b.dueAt())
                  : Long.compare(a.sequence(), b.sequence()));
  private long now;
  private long sequence;

  /** Creates a scheduler whose time starts at zero. */
  public ManualScheduler() {}

  @Override
  public synchronized long nanoTime() {
    return now;
  }

  @Override
  public synchronized Alarm schedule(Runnable task, Duration delay) {
    long wait = Math.max(0, Scheduler.saturatedNanos(delay));
    Task entry = new Task(now + wait, sequence++, task);
    tasks.add(entry);
    return () -> cancel(entry);
  }

  /**
   * Advances time and runs all tasks that become due, each at its own time. If a task, or a thread
   * that it wakes, advances time further, time does not go back.
   */
  public void advance(Duration by) {
    long until = nanoTime() + by.toNanos();
    @Nullable Task task;
    while ((task = nextDue(until)) != null) {
      task.action().run();
    }
    synchronized (this) {
      now = Math.max(now, until);
    }
  }

  /** Runs the tasks that are due, without advancing time. */
  public void runDue() {
    advance(Duration.ZERO);
  }

  /** Returns the time until each pending task is due, in ascending order. */
  public synchronized List<Duration> pending() {
    List<Duration> waits = new ArrayList<>();
    for (Task task : tasks) {
      waits.add(Duration.ofNanos(task.dueAt() - now));
    }
    return waits;
  }

  /** Returns a clock in UTC that shows the virtual time since the epoch. */
  public Clock clock() {
    InstantSource source = () -> Instant.EPOCH.plusNanos(nanoTime());
    return source.withZone(ZoneOffset.UTC);
  }

  private synchronized void cancel(Task task) {
    tasks.remove(task);
  }

  private synchronized @Nullable Task nextDue(long until) {
    if (tasks.isEmpty() || tasks.first().dueAt() > until) {
      return null;
    }
    Task task = tasks.first();
    tasks.remove(task);
    now = Math.max(now, task.dueAt());
    return task;
  }
}
