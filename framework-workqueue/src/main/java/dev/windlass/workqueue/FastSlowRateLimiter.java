// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.scheduling.DurationText;
import java.time.Duration;

/**
 * A rate limiter with two delays. A short delay follows each of the first failures of a key, and a
 * long delay follows each later failure.
 */
final class FastSlowRateLimiter<T> implements RateLimiter<T> {

  private final FailureCounts<T> failures = new FailureCounts<>();
  private final Duration fast;
  private final Duration slow;
  private final int fastTries;

  FastSlowRateLimiter(Duration fast, Duration slow, int fastTries) {
    if (fast.isNegative()) {
      throw new IllegalArgumentException(
          "the fast wait must be zero or more: " + DurationText.of(fast));
    }
    if (slow.compareTo(fast) < 0) {
      throw new IllegalArgumentException(
          "the slow wait "
              + DurationText.of(slow)
              + " must be at least the fast one, "
              + DurationText.of(fast));
    }
    if (fastTries < 0) {
      throw new IllegalArgumentException("fastTries must be zero or more: " + fastTries);
    }
    this.fast = fast;
    this.slow = slow;
    this.fastTries = fastTries;
  }

  @Override
  public Duration next(T key) {
    return next(key, failures.increment(key) - 1);
  }

  @Override
  public Duration next(T key, int before) {
    return before < fastTries ? fast : slow;
  }

  @Override
  public void forget(T key) {
    failures.forget(key);
  }

  @Override
  public void forgetAll() {
    failures.forgetAll();
  }
}
