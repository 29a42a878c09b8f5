// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.time;

import dev.windlass.scheduling.Scheduler;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time: it stands still until a test advances it, and then runs what has become due, in
 * order, on the test's own thread.
 *
 * <p>A task that is scheduled by another task runs in the same {@link #advance} if it falls into
 * it. Safe for use by several threads; tasks run outside the lock.
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

  /** Virtual time that starts at zero. */
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
   * Moves time forward and runs all tasks that become due, each at its own time. A task, or a
   * thread that it wakes, may advance time as well: it ends where the furthest of them wanted to
   * go.
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

  /**
   * Moves time forward, 100 ms at a time, until something has come about that other threads do.
   * They can't miss it, as they can a single {@link #advance} when they have worked out how long to
   * rest and have not begun to.
   *
   * @throws AssertionError if the thread is interrupted, as by the time-out of a test
   */
  public void advanceUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new AssertionError("it did not come about in time");
      }
      advance(Duration.ofMillis(100));
      LockSupport.parkNanos(100_000);
    }
  }

  /** Runs what is due now without moving time. */
  public void runDue() {
    advance(Duration.ZERO);
  }

  /** How long until each pending task is due, soonest first. */
  public synchronized List<Duration> pending() {
    List<Duration> waits = new ArrayList<>();
    for (Task task : tasks) {
      waits.add(Duration.ofNanos(task.dueAt() - now));
    }
    return waits;
  }

  /** A wall clock that started at the epoch when this scheduler was made, and moves with it. */
  public Clock clock() {
    return new Clock() {
      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        throw new IllegalArgumentException("virtual time knows UTC only, not " + zone);
      }

      @Override
      public Instant instant() {
        return Instant.EPOCH.plusNanos(nanoTime());
      }
    };
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
