// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

/**
 * Limits how often a failing key is retried, and defines the action that follows.
 *
 * @param <T> the type of the keys
 * @param maxRetries the maximum number of consecutive retries of a key, regardless of the rate
 *     limiter; zero or more
 * @param giveUp the hook to call when a key fails again after its last retry
 */
public record RetryLimit<T>(int maxRetries, GiveUpHook<T> giveUp) {

  /** Checks that the number of retries is not negative. */
  public RetryLimit {
    if (maxRetries < 0) {
      throw new IllegalArgumentException(
          "maxRetries must not be negative: " + maxRetries + "; 0 gives up at the first failure");
    }
  }
}
