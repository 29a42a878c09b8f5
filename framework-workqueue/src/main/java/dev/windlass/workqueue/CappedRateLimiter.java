// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.scheduling.DurationText;
import java.time.Duration;

/** A rate limiter that limits the delays of another rate limiter to a maximum. */
final class CappedRateLimiter<T> implements RateLimiter<T> {

  private final RateLimiter<T> limiter;
  private final Duration max;

  CappedRateLimiter(RateLimiter<T> limiter, Duration max) {
    if (max.isNegative()) {
      throw new IllegalArgumentException(
          "the maximum wait must be zero or more: " + DurationText.of(max));
    }
    this.limiter = limiter;
    this.max = max;
  }

  @Override
  public Duration next(T key) {
    return capped(limiter.next(key));
  }

  @Override
  public Duration next(T key, int failures) {
    return capped(limiter.next(key, failures));
  }

  private Duration capped(Duration wait) {
    return wait.compareTo(max) > 0 ? max : wait;
  }

  @Override
  public void forget(T key) {
    limiter.forget(key);
  }

  @Override
  public void forgetAll() {
    limiter.forgetAll();
  }
}
