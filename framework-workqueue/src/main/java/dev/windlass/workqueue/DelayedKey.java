// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * A key that waits for its delay to end, as it was when {@link WorkQueue#delayedKeys} was called.
 *
 * @param <T> the type of the keys
 * @param priority the priority under which it will be ready
 * @param dueIn how long until then; zero or less if it is due and about to become ready
 * @param failures the number of failures counted for it; zero if it waits for another reason
 */
public record DelayedKey<T>(T key, Priority priority, Duration dueIn, int failures) {

  DelayedKey<T> withFailures(int counted) {
    return new DelayedKey<>(key, priority, dueIn, counted);
  }
}
