// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver.auth;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.scheduling.Scheduler;
import java.util.concurrent.TimeUnit;

/**
 * Limits reviews of unknown tokens at the API server to {@value #PER_SECOND} per second, with
 * bursts of {@value #BURST}. The limit prevents a client that sends invalid tokens from overloading
 * the API server through an endpoint. This class is thread-safe.
 */
final class ReviewRateLimit {

  static final int PER_SECOND = 5;
  static final int BURST = 20;

  private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;

  private final Scheduler scheduler;

  @GuardedBy("this")
  private int left = BURST;

  /** The time up to which refills have been added to {@code left}, in monotonic nanoseconds. */
  @GuardedBy("this")
  private long counted;

  ReviewRateLimit(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.counted = scheduler.nanoTime();
  }

  /**
   * Takes one review from the allowance.
   *
   * @return false if the allowance is exhausted
   */
  synchronized boolean tryTake() {
    long gained = (scheduler.nanoTime() - counted) / INTERVAL;
    if (gained > 0) {
      left = (int) Math.min(BURST, left + gained);
      counted += gained * INTERVAL;
    }
    if (left == 0) {
      return false;
    }
    left--;
    return true;
  }
}
