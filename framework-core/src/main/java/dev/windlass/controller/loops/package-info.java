// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: detects reconcile loops, that is, requests whose runs cause each other.
 *
 * <p>In: each run with its reasons. Out: how long a run must wait, and a report. Invariants: only a
 * proven loop is slowed down, and no request is lost. Threads: the workers. Next: {@link
 * dev.windlass.controller.reporting}.
 */
@NullMarked
package dev.windlass.controller.loops;

import org.jspecify.annotations.NullMarked;
