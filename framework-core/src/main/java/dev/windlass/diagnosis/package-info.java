// SPDX-License-Identifier: Apache-2.0
/**
 * How a running program is, written down for whoever has to find out what it does.
 *
 * <p>In: what controllers, caches and electors say of themselves. Out: {@link
 * dev.windlass.diagnosis.Diagnosis}, and the same as JSON at {@code /debug/windlass}. Invariants:
 * no content of objects, and bounded in size. Threads: whoever asks.
 */
@NullMarked
package dev.windlass.diagnosis;

import org.jspecify.annotations.NullMarked;
