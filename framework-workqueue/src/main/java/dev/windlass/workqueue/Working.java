// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * A snapshot of a key that is being processed; see {@link WorkQueue#inWork()}.
 *
 * @param <T> the type of the keys
 * @param priority the priority under which the key was handed out
 * @param worked the time since the key was handed out
 * @param worker the name of the thread to which the key was handed out
 */
public record Working<T>(T key, Priority priority, Duration worked, String worker) {}
