// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * A rate limiter that combines two other rate limiters. For each failure, it calls both and returns
 * the longer delay.
 */
final class MaxOfRateLimiter<T> implements RateLimiter<T> {

  private final RateLimiter<T> first;
  private final RateLimiter<T> second;

  MaxOfRateLimiter(RateLimiter<T> first, RateLimiter<T> second) {
    this.first = first;
    this.second = second;
  }

  @Override
  public Duration next(T key) {
    return longer(first.next(key), second.next(key));
  }

  @Override
  public Duration next(T key, int failures) {
    return longer(first.next(key, failures), second.next(key, failures));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  @Override
  public void forget(T key) {
    first.forget(key);
    second.forget(key);
  }

  @Override
  public void forgetAll() {
    first.forgetAll();
    second.forgetAll();
  }
}
