// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * A key that is in work, as it was when somebody asked.
 *
 * @param <T> the type of the keys
 * @param priority under which it was handed out
 * @param worked how long ago that was
 * @param worker the name of the thread that it was handed out to
 */
public record Working<T>(T key, Priority priority, Duration worked, String worker) {}
