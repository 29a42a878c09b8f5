// SPDX-License-Identifier: Apache-2.0
/**
 * Runs, monitors and displays health checks, and provides the building blocks of the manager's own
 * checks.
 *
 * <p>In: the {@link dev.windlass.health.checks.Health} of a manager. Out: {@code /healthz}, {@code
 * /livez}, {@code /readyz}, and a log line when a check turns red or green. Invariant: a check that
 * throws or hangs is red and affects no other check. Threads: each running check has its own
 * thread, from a pool that only health checks use. Internal: not exported.
 */
@NullMarked
package dev.windlass.health.checks;

import org.jspecify.annotations.NullMarked;
