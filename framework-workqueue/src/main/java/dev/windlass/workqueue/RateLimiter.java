// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.scheduling.Backoff;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Determines how long a failed key waits before it is retried.
 *
 * <p>Use a rate limiter with only one queue at a time. Implementations must be thread-safe, and
 * must not keep data for a key after its failure count has been reset. The limiters that this
 * interface creates do not throw exceptions, and their waiting times do not overflow.
 *
 * @param <T> the type of the keys
 */
public interface RateLimiter<T> {

  /**
   * Returns how long a failed key waits before it is retried. Implement this method; it replaces
   * {@link #next(Object)}, which the default implementation calls.
   *
   * @param failures the number of failures before this one since the failure count was last reset;
   *     0 for the first failure
   */
  default Duration next(T key, int failures) {
    return next(key);
  }

  /**
   * Records a failure of the given key, and returns how long the key waits before it is retried.
   * Queues call {@link #next(Object, int)} instead.
   */
  default Duration next(T key) {
    return next(key, 0);
  }

  /**
   * Resets the failure count of the given key. A queue calls this method only for keys that have
   * failed.
   */
  default void forget(T key) {}

  /**
   * Resets the failure counts of all keys, for example when a controller is restarted. Call this
   * method only while the queue is not processing keys. The default implementation has no effect;
   * the limiters that this interface creates override it.
   */
  default void forgetAll() {}

  /** Returns a limiter with the same waiting times as this limiter, but at most {@code max}. */
  default RateLimiter<T> withMaxWait(Duration max) {
    return new CappedRateLimiter<>(this, max);
  }

  /**
   * Returns the default limiter. A key waits 5 ms after its first failure. Each subsequent failure
   * doubles the waiting time, up to 1000 s (client-go {@code default_rate_limiters.go}). The
   * limiter does not use jitter or a token bucket.
   */
  static <T> RateLimiter<T> exponential() {
    return exponential(Duration.ofMillis(5), Duration.ofSeconds(1000));
  }

  /**
   * Returns a limiter with exponential back-off. A key waits {@code initial} after its first
   * failure. Each subsequent failure doubles the waiting time, up to {@code max}.
   */
  static <T> RateLimiter<T> exponential(Duration initial, Duration max) {
    return new ExponentialRateLimiter<>(Backoff.exponential(initial, max), null);
  }

  /**
   * Returns a limiter with exponential back-off and jitter. Without jitter, keys that fail at the
   * same time are retried at the same time.
   *
   * @param jitter the maximum jitter, as a fraction of the waiting time. With 0.5, a waiting time
   *     of 10 ms becomes 10 to 15 ms. Jitter can extend the waiting time beyond {@code max}
   * @param random the random generator for the jitter; it must be thread-safe
   */
  static <T> RateLimiter<T> exponential(
      Duration initial, Duration max, double jitter, RandomGenerator random) {
    return new ExponentialRateLimiter<>(new Backoff(initial, 2, max, jitter), random);
  }

  /**
   * Returns a rate limiter with one token bucket for all keys. It allows 10 retries per second with
   * bursts of 100, which are client-go's default values ({@code default_rate_limiters.go}).
   */
  static <T> RateLimiter<T> bucket(Scheduler scheduler) {
    return bucket(10, 100, scheduler);
  }

  /**
   * Returns a rate limiter with one token bucket for all keys. The bucket is initially full. Each
   * call to {@link #next} takes a token. If the bucket is empty, the call reserves a future token
   * and returns the time until this token becomes available. The bucket does not count failures, so
   * {@link #forget} has no effect. Retry limits still work, because the queue itself counts the
   * failures.
   *
   * @param perSecond the number of tokens added per second; finite and more than zero
   * @param burst the maximum number of tokens in the bucket; at least 1
   * @param scheduler the scheduler that provides the time
   */
  static <T> RateLimiter<T> bucket(double perSecond, int burst, Scheduler scheduler) {
    return new BucketRateLimiter<>(perSecond, burst, scheduler);
  }

  /**
   * Returns a limiter that combines two limiters and uses the longer of their waiting times. Both
   * limiters record each failure. client-go's default is {@code maxOf(exponential(),
   * bucket(scheduler))}.
   */
  static <T> RateLimiter<T> maxOf(RateLimiter<T> first, RateLimiter<T> second) {
    return new MaxOfRateLimiter<>(first, second);
  }

  /**
   * Returns a limiter with two fixed waiting times. A key waits {@code fast} after each of its
   * first {@code fastTries} failures, and {@code slow} after each further failure.
   */
  static <T> RateLimiter<T> fastSlow(Duration fast, Duration slow, int fastTries) {
    return new FastSlowRateLimiter<>(fast, slow, fastTries);
  }
}
