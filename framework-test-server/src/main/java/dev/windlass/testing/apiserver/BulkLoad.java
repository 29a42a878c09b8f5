// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver;

import java.time.Duration;

/**
 * The result of {@link BulkLoader#create}.
 *
 * @param count the number of objects
 * @param duration the time from the first request to the last response
 */
public record BulkLoad(int count, Duration duration) {

  /** Returns the average number of objects created per second, or 0 if there were no objects. */
  public double perSecond() {
    return count == 0 ? 0 : count / (Math.max(1, duration.toNanos()) / 1e9);
  }

  /** Returns a summary such as {@code 100000 objects in 41.3 s, 2421 a second}. */
  @Override
  public String toString() {
    return "%d objects in %.1f s, %.0f a second"
        .formatted(count, duration.toNanos() / 1e9, perSecond());
  }
}
