// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.time.Backoff;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Decides how long a key waits before its next retry.
 *
 * <p>A rate limiter belongs to one queue at a time. Implementations are safe for use by several
 * threads, and hold nothing for a forgotten key. The limiters created by the methods below never
 * fail and never overflow, even if a key fails very often.
 *
 * @param <T> the type of the keys
 */
public interface RateLimiter<T> {

  /** Counts one more failure of the key and returns the wait before the next retry. */
  Duration next(T key);

  /** Forgets the failures of this key only: its next failure counts as the first again. */
  void forget(T key);

  /** Returns the number of failures of the key since it was last forgotten. */
  int retries(T key);

  /**
   * Forgets the failures of all keys, for example when a controller is started again. The limiters
   * created by the methods below implement this; the default implementation does nothing. Called
   * while no key is being processed.
   */
  default void forgetAll() {}

  /** Returns this limiter with waits of at most {@code max}. */
  default RateLimiter<T> withMaxWait(Duration max) {
    return new CappedRateLimiter<>(this, max);
  }

  /**
   * Returns the default limiter: per key, 5 ms doubled at each failure up to 1000 s (client-go
   * {@code default_rate_limiters.go}), saturating, without jitter and without a global bucket.
   */
  static <T> RateLimiter<T> exponential() {
    return exponential(Duration.ofMillis(5), Duration.ofSeconds(1000));
  }

  /** Returns a limiter that, per key, doubles {@code initial} at each failure up to {@code max}. */
  static <T> RateLimiter<T> exponential(Duration initial, Duration max) {
    return new ExponentialRateLimiter<>(Backoff.exponential(initial, max), null);
  }

  /**
   * Returns a limiter like {@link #exponential(Duration, Duration)} with jitter, so that keys that
   * failed at the same time are not retried at the same time.
   *
   * @param jitter the greatest share of a wait that is added at random: with 0.5, 10 ms become 10
   *     to 15 ms; also added to {@code max}
   * @param random the source of the jitter; safe for use by several threads
   */
  static <T> RateLimiter<T> exponential(
      Duration initial, Duration max, double jitter, RandomGenerator random) {
    return new ExponentialRateLimiter<>(new Backoff(initial, 2, max, jitter), random);
  }

  /**
   * Returns one token bucket for all keys, with the figures of client-go ({@code
   * default_rate_limiters.go}): 10 retries per second, bursts of 100.
   */
  static <T> RateLimiter<T> bucket(Scheduler scheduler) {
    return bucket(10, 100, scheduler);
  }

  /**
   * Returns one token bucket for all keys. It starts full. Each call of {@link #next} takes a
   * token, or reserves the next unreserved one and returns the wait for it. The bucket counts no
   * failures, so {@link #forget} has no effect; a retry limit counts failures itself.
   *
   * @param perSecond the number of tokens added per second; more than zero, finite
   * @param burst the number of tokens that the bucket holds, at least 1
   * @param scheduler the clock
   */
  static <T> RateLimiter<T> bucket(double perSecond, int burst, Scheduler scheduler) {
    return new BucketRateLimiter<>(perSecond, burst, scheduler);
  }

  /**
   * Returns a limiter that uses the longer wait of two limiters; both count each failure. The
   * default of client-go is {@code maxOf(exponential(), bucket(scheduler))}.
   */
  static <T> RateLimiter<T> maxOf(RateLimiter<T> first, RateLimiter<T> second) {
    return new MaxOfRateLimiter<>(first, second);
  }

  /**
   * Returns a limiter that, per key, waits {@code fast} after each of the first {@code fastTries}
   * failures, and {@code slow} after later ones.
   */
  static <T> RateLimiter<T> fastSlow(Duration fast, Duration slow, int fastTries) {
    return new FastSlowRateLimiter<>(fast, slow, fastTries);
  }
}
