// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.time.Backoff;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Decides how long a key waits before its next try.
 *
 * <p>It belongs to one queue at a time. Implementations are safe for use by several threads, and
 * hold nothing of a key that was forgotten. Those made here never fail and never overflow, however
 * often a key does.
 *
 * @param <T> the type of the keys
 */
public interface RateLimiter<T> {

  /** Counts one more failure of the key and says how long to wait before the next try. */
  Duration next(T key);

  /** Forgets the failures of the key, and of no other: its next one is the first again. */
  void forget(T key);

  /** How many failures of the key are counted since it was last forgotten. */
  int retries(T key);

  /**
   * Forgets the failures of all keys, as when a controller is started again. Those made here do; by
   * default nothing happens. Called while no key is in work.
   */
  default void forgetAll() {}

  /** This limiter, with waits of at most {@code max}. */
  default RateLimiter<T> withMaxWait(Duration max) {
    return new CappedRateLimiter<>(this, max);
  }

  /**
   * The default: per key, 5 ms doubled at each failure up to 1000 s (client-go {@code
   * default_rate_limiters.go}), saturating, without jitter and without a global bucket.
   */
  static <T> RateLimiter<T> exponential() {
    return exponential(Duration.ofMillis(5), Duration.ofSeconds(1000));
  }

  /** Per key, {@code initial} doubled at each failure up to {@code max}. */
  static <T> RateLimiter<T> exponential(Duration initial, Duration max) {
    return new ExponentialRateLimiter<>(Backoff.exponential(initial, max), null);
  }

  /**
   * As {@link #exponential(Duration, Duration)} with jitter, so that keys that failed together are
   * not tried together for ever.
   *
   * @param jitter the share of a wait that is added at random, at most: with 0.5, 10 ms become 10
   *     to 15 ms; also added to {@code max}
   * @param random where chance comes from; safe for use by several threads
   */
  static <T> RateLimiter<T> exponential(
      Duration initial, Duration max, double jitter, RandomGenerator random) {
    return new ExponentialRateLimiter<>(new Backoff(initial, 2, max, jitter), random);
  }

  /**
   * One bucket of tokens for all keys, with the figures of client-go ({@code
   * default_rate_limiters.go}): 10 tries per second, bursts of 100.
   */
  static <T> RateLimiter<T> bucket(Scheduler scheduler) {
    return bucket(10, 100, scheduler);
  }

  /**
   * One bucket of tokens for all keys. It starts full; each call of {@link #next} takes a token, or
   * reserves the next one that is not reserved yet and waits for it. It counts no failures, and so
   * forgets none; a retry limit counts by itself.
   *
   * @param perSecond how many tokens are added per second; more than zero, finite
   * @param burst how many tokens the bucket holds, at least 1
   * @param scheduler the clock
   */
  static <T> RateLimiter<T> bucket(double perSecond, int burst, Scheduler scheduler) {
    return new BucketRateLimiter<>(perSecond, burst, scheduler);
  }

  /**
   * The longer of the waits that two limiters ask for; both count each failure. The default of
   * client-go is {@code maxOf(exponential(), bucket(scheduler))}.
   */
  static <T> RateLimiter<T> maxOf(RateLimiter<T> first, RateLimiter<T> second) {
    return new MaxOfRateLimiter<>(first, second);
  }

  /**
   * Per key, {@code fast} for the first {@code fastTries} failures, and {@code slow} after those.
   */
  static <T> RateLimiter<T> fastSlow(Duration fast, Duration slow, int fastTries) {
    return new FastSlowRateLimiter<>(fast, slow, fastTries);
  }
}
