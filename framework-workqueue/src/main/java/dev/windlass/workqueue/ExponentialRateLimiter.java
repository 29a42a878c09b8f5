// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.scheduling.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A rate limiter that counts the failures of each key. A {@link Backoff} determines the delay from
 * this count.
 */
final class ExponentialRateLimiter<T> implements RateLimiter<T> {

  private final FailureCounts<T> failures = new FailureCounts<>();
  private final Backoff backoff;
  private final @Nullable RandomGenerator random;

  /**
   * Creates a limiter.
   *
   * @param random the source of the jitter; null for a limiter without jitter
   */
  ExponentialRateLimiter(Backoff backoff, @Nullable RandomGenerator random) {
    this.backoff = backoff;
    this.random = random;
  }

  @Override
  public Duration next(T key) {
    return next(key, failures.increment(key) - 1);
  }

  @Override
  public Duration next(T key, int before) {
    return random == null ? backoff.delay(before) : backoff.delay(before, random);
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
