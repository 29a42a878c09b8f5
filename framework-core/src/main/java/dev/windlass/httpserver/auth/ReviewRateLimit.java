// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver.auth;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.scheduling.Scheduler;
import java.util.concurrent.TimeUnit;

/**
 * Limits the rate at which an endpoint sends reviews of unknown tokens to {@value #PER_SECOND} per
 * second, with bursts of {@value #BURST}. Without this limit, a client that sends invalid tokens
 * could overload the API server through the endpoint. This class is thread-safe.
 */
final class ReviewRateLimit {

  static final int PER_SECOND = 5;
  static final int BURST = 20;

  private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;

  private final Scheduler scheduler;

  @GuardedBy("this")
  private int left = BURST;

  /**
   * The time at which the last permit was added to {@code left}, as a value of {@link
   * Scheduler#nanoTime}.
   */
  @GuardedBy("this")
  private long counted;

  ReviewRateLimit(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.counted = scheduler.nanoTime();
  }

  /**
   * Takes a permit for one review.
   *
   * @return false if no permit is available
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
