// SPDX-License-Identifier: Apache-2.0
/**
 * The state of a running program, for operators who diagnose it: {@code Manager.diagnosis()}.
 *
 * <p>In: the state that controllers, caches and electors report. Out: a {@link
 * dev.windlass.diagnosis.Diagnosis}, also as JSON at {@code /debug/windlass}. Invariants: no object
 * content, and bounded in size. Threads: the caller's.
 */
@NullMarked
package dev.windlass.diagnosis;

import org.jspecify.annotations.NullMarked;
