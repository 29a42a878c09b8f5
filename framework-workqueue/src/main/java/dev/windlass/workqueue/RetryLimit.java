// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

/**
 * How often a key that fails is tried again, and what happens then.
 *
 * @param <T> the type of the keys
 * @param maxRetries how many failures in a row are followed by another try, whatever the rate
 *     limiter; zero or more
 * @param giveUp called at the failure after those
 */
public record RetryLimit<T>(int maxRetries, GiveUp<T> giveUp) {

  /** Refuses a negative number. */
  public RetryLimit {
    if (maxRetries < 0) {
      throw new IllegalArgumentException(
          "maxRetries must not be negative: " + maxRetries + "; 0 gives up at the first failure");
    }
  }
}
