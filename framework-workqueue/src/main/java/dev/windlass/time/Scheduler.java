// SPDX-License-Identifier: Apache-2.0
package dev.windlass.time;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The clock and the alarm of the framework: what time it is, and "call me then".
 *
 * <p>Both belong together: a test that fakes the one and not the other still sleeps. Production
 * code gets {@link #system()}; tests get virtual time, where nothing happens until they advance it.
 *
 * <p>Implementations are safe for use by several threads.
 */
public interface Scheduler {

  /**
   * Monotonic time in nanoseconds from an arbitrary origin. Compare readings by subtraction only;
   * they mean nothing across processes.
   */
  long nanoTime();

  /**
   * Runs a task once after a delay, on a thread of the scheduler's choice, never inside this call.
   *
   * @param task short and non-blocking; it typically wakes somebody else up. What it throws is
   *     logged and does no harm to other tasks
   * @param delay from now; zero or negative means as soon as possible
   */
  Alarm schedule(Runnable task, Duration delay);

  /**
   * A scheduler on {@link System#nanoTime()} with one daemon thread, which exists only while there
   * is something to wait for; so there is nothing to close.
   */
  static Scheduler system() {
    return new SystemScheduler();
  }

  /**
   * A delay in nanoseconds, at most a hundred years: {@link Duration#toNanos()} overflows at 292,
   * which "never" is happily written as, and half the range keeps differences of deadlines exact.
   */
  static long saturatedNanos(Duration delay) {
    long longest = TimeUnit.DAYS.toSeconds(36_500);
    return delay.toSeconds() < longest ? delay.toNanos() : TimeUnit.SECONDS.toNanos(longest);
  }

  /** A task that {@link #schedule} took and that may still be called off. */
  @FunctionalInterface
  interface Alarm {

    /** Calls the task off if it has not started; calling it off twice or too late does nothing. */
    void cancel();
  }
}
