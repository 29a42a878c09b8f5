// SPDX-License-Identifier: Apache-2.0
/**
 * Health checks, which report to the kubelet and to operators whether the program works.
 *
 * <p>In: checks of the manager's components and of the program. Out: {@code /healthz}, {@code
 * /livez}, {@code /readyz}, and a log line when a check turns red or green. Invariant: a check that
 * throws or hangs is red and affects no other check. Threads: each running check has its own
 * thread, from a pool that only health checks use; the endpoint's threads and the monitor request
 * them. Next: {@code dev.windlass.diagnosis}.
 */
@NullMarked
package dev.windlass.health;

import org.jspecify.annotations.NullMarked;
