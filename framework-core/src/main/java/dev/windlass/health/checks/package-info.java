// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: runs the health checks of a manager, and shows their results to the kubelet and to
 * operators.
 *
 * <p>In: the checks of the program and of the manager, registered in a {@link
 * dev.windlass.health.checks.Health}. Out: {@code /healthz}, {@code /livez}, {@code /readyz}, and a
 * log line when a check turns red or green. Invariant: a check that throws or hangs is red and
 * affects no other check. Threads: each running check has its own, from a pool that only health
 * checks use; the endpoint's threads and the monitor request them. Next: {@code
 * dev.windlass.manager.monitoring}, which adds the checks that every manager has.
 */
@NullMarked
package dev.windlass.health.checks;

import org.jspecify.annotations.NullMarked;
