// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * A key that waits for its time to come, as it was when somebody asked.
 *
 * @param <T> the type of the keys
 * @param priority under which it will be ready
 * @param dueIn how long until then; zero or less if it is due and about to become ready
 * @param failures how many its rate limiter counts; zero if it waits for another reason
 */
public record DelayedKey<T>(T key, Priority priority, Duration dueIn, int failures) {

  DelayedKey<T> withFailures(int counted) {
    return new DelayedKey<>(key, priority, dueIn, counted);
  }
}
