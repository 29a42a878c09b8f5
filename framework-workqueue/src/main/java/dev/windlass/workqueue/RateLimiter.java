// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.time.Backoff;
import java.time.Duration;

/**
 * Decides how long a key waits before its next try.
 *
 * <p>Implementations are safe for use by several threads.
 *
 * @param <T> the type of the keys
 */
public interface RateLimiter<T> {

  /** Counts one more failure of the key and says how long to wait before the next try. */
  Duration next(T key);

  /** Forgets the failures of the key: its next one is the first again. */
  void forget(T key);

  /** How many failures of the key are counted since it was last forgotten. */
  int retries(T key);

  /**
   * The default: per key, 5 ms doubled at each failure up to 1000 s (client-go {@code
   * default_rate_limiters.go}), saturating, without jitter and without a global bucket.
   */
  static <T> RateLimiter<T> exponential() {
    return exponential(Duration.ofMillis(5), Duration.ofSeconds(1000));
  }

  /** Per key, {@code initial} doubled at each failure up to {@code max}. */
  static <T> RateLimiter<T> exponential(Duration initial, Duration max) {
    return new ExponentialRateLimiter<>(Backoff.exponential(initial, max));
  }
}
