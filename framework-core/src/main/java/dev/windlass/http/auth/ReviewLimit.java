// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http.auth;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.time.Scheduler;
import java.util.concurrent.TimeUnit;

/**
 * How often strangers may have the API server asked who they are: {@value #PER_SECOND} times a
 * second, and {@value #BURST} times at once. Whoever sends one made-up token after the other must
 * not turn this endpoint against the API server. Thread safe.
 */
final class ReviewLimit {

  static final int PER_SECOND = 5;
  static final int BURST = 20;

  private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;

  private final Scheduler scheduler;

  @GuardedBy("this")
  private int left = BURST;

  /** Until when what was left has been counted. */
  @GuardedBy("this")
  private long counted;

  ReviewLimit(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.counted = scheduler.nanoTime();
  }

  /** Whether one more may be asked for now. */
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
