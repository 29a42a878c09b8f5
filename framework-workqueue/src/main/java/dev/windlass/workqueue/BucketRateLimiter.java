// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;

/**
 * A rate limiter with a token bucket. Its state is the time until the bucket is full: each token
 * that is taken increases this time, and it decreases as time passes. If the time is longer than an
 * empty bucket needs to fill, the caller must wait for the difference.
 */
final class BucketRateLimiter<T> implements RateLimiter<T> {

  private static final double NANOS_PER_SECOND = 1e9;

  private final Scheduler scheduler;
  private final double nanosPerToken;
  private final double nanosPerBucket;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private double nanosUntilFull;

  @GuardedBy("lock")
  private long asOf;

  BucketRateLimiter(double perSecond, int burst, Scheduler scheduler) {
    if (!(perSecond > 0) || Double.isInfinite(perSecond)) {
      throw new IllegalArgumentException(
          "perSecond must be more than zero and finite: "
              + perSecond
              + "; to set no limit, omit the bucket");
    }
    if (burst < 1) {
      throw new IllegalArgumentException(
          "burst must be at least 1, because otherwise no retry is possible: " + burst);
    }
    this.scheduler = scheduler;
    this.nanosPerToken = Math.min(NANOS_PER_SECOND / perSecond, Long.MAX_VALUE);
    this.nanosPerBucket = nanosPerToken * burst;
    this.asOf = scheduler.nanoTime();
  }

  @Override
  public Duration next(T key, int failures) {
    synchronized (lock) {
      long now = scheduler.nanoTime();
      nanosUntilFull = Math.max(0, nanosUntilFull - (now - asOf)) + nanosPerToken;
      asOf = now;
      // The cast saturates: a wait that exceeds the range of long becomes Long.MAX_VALUE.
      return Duration.ofNanos((long) Math.max(0, nanosUntilFull - nanosPerBucket));
    }
  }
}
