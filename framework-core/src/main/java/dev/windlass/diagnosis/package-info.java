// SPDX-License-Identifier: Apache-2.0
/**
 * The state of a running program, for operators who diagnose it with {@code Manager.diagnosis()}.
 *
 * <p>Controllers, caches and electors report their state, which is combined in a {@link
 * dev.windlass.diagnosis.Diagnosis} and also served as JSON at {@code /debug/windlass}. A diagnosis
 * does not contain the content of objects, and its size is bounded. The code runs on the caller's
 * thread.
 */
@NullMarked
package dev.windlass.diagnosis;

import org.jspecify.annotations.NullMarked;
