// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * A snapshot of a key that waits for its delay to end; see {@link WorkQueue#delayedKeys}.
 *
 * @param <T> the type of the keys
 * @param priority the priority under which it will be ready
 * @param dueIn the time until it is ready; zero or less if it is due and about to become ready
 * @param failures the number of failures counted for it; zero if it waits for another reason
 */
public record DelayedKey<T>(T key, Priority priority, Duration dueIn, int failures) {

  DelayedKey<T> withFailures(int counted) {
    return new DelayedKey<>(key, priority, dueIn, counted);
  }
}
