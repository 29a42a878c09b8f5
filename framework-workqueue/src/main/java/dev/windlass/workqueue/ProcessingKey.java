// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * A snapshot of a key that is being processed; see {@link WorkQueue#inWork()}.
 *
 * @param <T> the type of the keys
 * @param key the key that is being processed
 * @param priority the priority that the key had when the worker took it
 * @param worked the time since the worker took the key
 * @param worker the name of the worker's thread
 */
public record ProcessingKey<T>(T key, Priority priority, Duration worked, String worker) {}
