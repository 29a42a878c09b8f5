// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.scheduling.Backoff;
import dev.windlass.scheduling.DurationText;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Determines how long a failed key waits before it is retried. The queue counts the failures of
 * each key, and resets the count with {@link WorkQueue#forget}; most limiters compute the waiting
 * time from this count alone.
 *
 * <p>Implementations must be thread-safe. The limiters that this interface creates do not throw
 * exceptions, and their waiting times do not overflow. Several queues can share a limiter; if it
 * contains a token bucket, they then share its tokens.
 *
 * @param <T> the type of the keys
 */
@FunctionalInterface
public interface RateLimiter<T> {

  /**
   * Returns how long a key waits after a failure before it is retried. A queue calls this method
   * once for each failure.
   *
   * @param key the key that has failed
   * @param failures the number of failures before this one since the count was last reset; 0 for
   *     the first failure
   */
  Duration next(T key, int failures);

  /** Returns a limiter with the same waiting times as this limiter, but at most {@code max}. */
  default RateLimiter<T> withMaxWait(Duration max) {
    if (max.isNegative()) {
      throw new IllegalArgumentException(
          "the maximum wait must be zero or more: " + DurationText.of(max));
    }
    return (key, failures) -> min(next(key, failures), max);
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
    Backoff backoff = Backoff.exponential(initial, max);
    return (key, failures) -> backoff.delay(failures);
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
    Backoff backoff = new Backoff(initial, 2, max, jitter);
    return (key, failures) -> backoff.delay(failures, random);
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
   * and returns the time until this token becomes available, whatever the number of failures.
   *
   * @param perSecond the number of tokens added per second; finite and more than zero
   * @param burst the maximum number of tokens in the bucket; at least 1
   * @param scheduler the scheduler that provides the time
   */
  static <T> RateLimiter<T> bucket(double perSecond, int burst, Scheduler scheduler) {
    return new BucketRateLimiter<>(perSecond, burst, scheduler);
  }

  /**
   * Returns a limiter that combines two limiters and uses the longer of their waiting times. A
   * token bucket loses a token even if the other limiter's time is longer. client-go's default is
   * {@code maxOf(exponential(), bucket(scheduler))}.
   */
  static <T> RateLimiter<T> maxOf(RateLimiter<T> first, RateLimiter<T> second) {
    return (key, failures) -> max(first.next(key, failures), second.next(key, failures));
  }

  /**
   * Returns a limiter with two fixed waiting times. A key waits {@code fast} after each of its
   * first {@code fastTries} failures, and {@code slow} after each further failure.
   */
  static <T> RateLimiter<T> fastSlow(Duration fast, Duration slow, int fastTries) {
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
    return (key, failures) -> failures < fastTries ? fast : slow;
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
