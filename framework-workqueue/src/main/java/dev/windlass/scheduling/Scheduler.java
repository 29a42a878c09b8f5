// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The framework's clock and timer, which reads monotonic time and runs tasks after a delay.
 *
 * <p>One interface covers both functions, because a test that replaced only one of them would still
 * have to sleep. Production code uses {@link #system()}. Tests use virtual time, in which tasks run
 * only when the test advances the time.
 *
 * <p>Implementations are thread-safe.
 */
public interface Scheduler {

  /**
   * Returns monotonic time in nanoseconds from an arbitrary origin. Compare two readings only by
   * subtraction. Readings from different processes cannot be compared.
   */
  long nanoTime();

  /**
   * Schedules a task to run once after a delay. The scheduler chooses the thread, and never runs
   * the task within this call.
   *
   * @param task a short task that does not block, typically one that wakes another thread. The
   *     scheduler logs exceptions that the task throws, and they do not affect other tasks
   * @param delay the delay from now; zero or a negative value means as soon as possible
   */
  Alarm schedule(Runnable task, Duration delay);

  /**
   * Returns a scheduler that uses {@link System#nanoTime()} and one daemon thread. The thread
   * exists only while a task is waiting, so the scheduler does not have to be closed.
   */
  static Scheduler system() {
    return new SystemScheduler();
  }

  /**
   * Returns a delay in nanoseconds, limited to a hundred years. {@link Duration#toNanos()}
   * overflows at 292 years, which durations that represent "never" exceed. The limit is less than
   * half of the range of {@code long}, so differences between deadlines remain exact.
   */
  static long saturatedNanos(Duration delay) {
    long longest = TimeUnit.DAYS.toSeconds(36_500);
    return delay.toSeconds() < longest ? delay.toNanos() : TimeUnit.SECONDS.toNanos(longest);
  }

  /** A scheduled task, which can be cancelled until it starts. */
  @FunctionalInterface
  interface Alarm {

    /** Cancels the task if it has not started. A repeated or late call has no effect. */
    void cancel();
  }
}
