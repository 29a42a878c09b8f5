// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

/**
 * Limits the number of retries of a failing key.
 *
 * @param <T> the type of the keys
 * @param maxRetries the maximum number of consecutive retries of a key; zero or more
 * @param giveUp the hook to call when the last retry of a key has failed
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
