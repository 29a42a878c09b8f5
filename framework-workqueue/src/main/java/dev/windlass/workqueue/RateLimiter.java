// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.scheduling.Backoff;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Determines how long a key waits before its next retry.
 *
 * <p>A rate limiter belongs to one queue at a time. Implementations are thread-safe, and do not
 * store data for a key whose failures have been reset. The limiters that this interface creates
 * never fail and never overflow, even if a key fails very often.
 *
 * @param <T> the type of the keys
 */
public interface RateLimiter<T> {

  /** Counts another failure of the key and returns the time to wait before the next retry. */
  Duration next(T key);

  /**
   * Resets the failures of this key only. The key's next failure then counts as its first. A queue
   * calls this method only for keys that have failed.
   */
  void forget(T key);

  /**
   * Resets the failures of all keys, for example when a controller is started again. The default
   * implementation has no effect. The limiters that this interface creates override this method.
   * Callers must ensure that the queue is not processing keys.
   */
  default void forgetAll() {}

  /** Returns a limiter that uses the waiting times of this limiter, capped at {@code max}. */
  default RateLimiter<T> withMaxWait(Duration max) {
    return new CappedRateLimiter<>(this, max);
  }

  /**
   * Returns the default limiter. A key's waiting time is 5 ms after the first failure and doubles
   * at each subsequent failure, up to 1000 s (client-go {@code default_rate_limiters.go}). The
   * limiter does not use jitter or a global bucket.
   */
  static <T> RateLimiter<T> exponential() {
    return exponential(Duration.ofMillis(5), Duration.ofSeconds(1000));
  }

  /**
   * Returns a limiter whose waiting time for each key starts at {@code initial} and doubles at each
   * failure, up to {@code max}.
   */
  static <T> RateLimiter<T> exponential(Duration initial, Duration max) {
    return new ExponentialRateLimiter<>(Backoff.exponential(initial, max), null);
  }

  /**
   * Returns a limiter that adds jitter to {@link #exponential(Duration, Duration)}, so that keys
   * that failed at the same time are not retried at the same time.
   *
   * @param jitter the maximum fraction of a waiting time that is added at random. With 0.5, a wait
   *     of 10 ms becomes 10 to 15 ms. Jitter is also added to {@code max}
   * @param random the source of the jitter; it must be thread-safe
   */
  static <T> RateLimiter<T> exponential(
      Duration initial, Duration max, double jitter, RandomGenerator random) {
    return new ExponentialRateLimiter<>(new Backoff(initial, 2, max, jitter), random);
  }

  /**
   * Returns a rate limiter with one token bucket for all keys, with client-go's default values
   * ({@code default_rate_limiters.go}): 10 retries per second, with bursts of 100.
   */
  static <T> RateLimiter<T> bucket(Scheduler scheduler) {
    return bucket(10, 100, scheduler);
  }

  /**
   * Returns a rate limiter with one token bucket for all keys. The bucket is initially full. Each
   * call to {@link #next} takes a token, or reserves the next unreserved token and returns the time
   * until that token becomes available. The bucket does not count failures, so {@link #forget} has
   * no effect. A retry limit still works, because the queue counts the failures itself.
   *
   * @param perSecond the number of tokens added per second; more than zero, finite
   * @param burst the number of tokens that the bucket can contain, at least 1
   * @param scheduler the scheduler that provides the time
   */
  static <T> RateLimiter<T> bucket(double perSecond, int burst, Scheduler scheduler) {
    return new BucketRateLimiter<>(perSecond, burst, scheduler);
  }

  /**
   * Returns a limiter that uses the longer of two limiters' waiting times. Both limiters count each
   * failure. client-go's default is {@code maxOf(exponential(), bucket(scheduler))}.
   */
  static <T> RateLimiter<T> maxOf(RateLimiter<T> first, RateLimiter<T> second) {
    return new MaxOfRateLimiter<>(first, second);
  }

  /**
   * Returns a limiter with which each key waits {@code fast} after each of its first {@code
   * fastTries} failures, and {@code slow} after each later failure.
   */
  static <T> RateLimiter<T> fastSlow(Duration fast, Duration slow, int fastTries) {
    return new FastSlowRateLimiter<>(fast, slow, fastTries);
  }
}
