// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

/**
 * How often a failing key is retried, and what happens then.
 *
 * @param <T> the type of the keys
 * @param maxRetries the number of consecutive failures that are followed by a retry, whatever the
 *     rate limiter; zero or more
 * @param giveUp called at the failure after those
 */
public record RetryLimit<T>(int maxRetries, GiveUp<T> giveUp) {

  /** Rejects a negative number. */
  public RetryLimit {
    if (maxRetries < 0) {
      throw new IllegalArgumentException(
          "maxRetries must not be negative: " + maxRetries + "; 0 gives up at the first failure");
    }
  }
}
