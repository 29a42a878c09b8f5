// SPDX-License-Identifier: Apache-2.0
/**
 * The state of a running program, for operators who diagnose it with {@code Manager.diagnosis()}.
 *
 * <p>Controllers, caches and electors report their state. A {@link
 * dev.windlass.diagnosis.Diagnosis} combines these reports, and {@code /debug/windlass} serves it
 * as JSON. A diagnosis does not contain object content, and its size is bounded. The code runs on
 * the caller's thread.
 */
@NullMarked
package dev.windlass.diagnosis;

import org.jspecify.annotations.NullMarked;
