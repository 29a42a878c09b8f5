// SPDX-License-Identifier: Apache-2.0
/**
 * The state of a running program, written down for people who need to find out what it does.
 *
 * <p>In: the state that controllers, caches and electors report. Out: {@link
 * dev.windlass.diagnosis.Diagnosis}, and the same as JSON at {@code /debug/windlass}. Invariants:
 * no object content, and bounded in size. Threads: the caller's.
 */
@NullMarked
package dev.windlass.diagnosis;

import org.jspecify.annotations.NullMarked;
