// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * A snapshot of a delayed key; see {@link WorkQueue#delayedKeys}.
 *
 * @param <T> the type of the keys
 * @param key the delayed key
 * @param priority the priority that the key will have when it becomes ready
 * @param dueIn the time until the key becomes ready; zero or negative if the key is already due
 * @param failures the key's current failure count; zero if the key was delayed without a failure
 */
public record DelayedKey<T>(T key, Priority priority, Duration dueIn, int failures) {}
