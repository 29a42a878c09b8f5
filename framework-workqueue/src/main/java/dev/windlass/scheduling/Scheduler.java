// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A monotonic clock, and a timer that runs tasks after a delay.
 *
 * <p>Production code uses {@link #system()}. Tests use an implementation with virtual time, in
 * which tasks run only when the test advances the time. The clock and the timer are parts of one
 * interface, so that both always use the same time.
 *
 * <p>Implementations are thread-safe.
 */
public interface Scheduler {

  /**
   * Returns the time in nanoseconds since an arbitrary origin, like {@link System#nanoTime()}. The
   * time never decreases. Compare two times only by subtraction, and do not compare times from
   * different processes.
   */
  long nanoTime();

  /**
   * Schedules a task to run once after a delay. The scheduler chooses the thread. The task never
   * runs during the call of this method.
   *
   * @param task a short task that does not block, such as one that wakes another thread. The
   *     scheduler logs an exception that the task throws, and continues to run other tasks
   * @param delay the delay from now; if zero or negative, the task runs as soon as possible
   */
  Alarm schedule(Runnable task, Duration delay);

  /**
   * Returns a scheduler that uses {@link System#nanoTime()} and one daemon thread. The thread
   * exists only while tasks are scheduled, so the scheduler does not have to be closed.
   */
  static Scheduler system() {
    return new SystemScheduler();
  }

  /**
   * Converts a delay to nanoseconds. The result is limited to a hundred years, because {@link
   * Duration#toNanos()} throws an exception for durations longer than 292 years. This limit also
   * ensures that the difference of two deadlines does not overflow.
   */
  static long saturatedNanos(Duration delay) {
    long longest = TimeUnit.DAYS.toSeconds(36_500);
    return delay.toSeconds() < longest ? delay.toNanos() : TimeUnit.SECONDS.toNanos(longest);
  }

  /** A scheduled task. It can be cancelled until it starts. */
  @FunctionalInterface
  interface Alarm {

    /** Cancels the task if it has not yet started. Otherwise, has no effect. */
    void cancel();
  }
}
