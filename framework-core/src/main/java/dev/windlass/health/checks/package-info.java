// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: runs the health checks of a manager, and reports their results to the kubelet and to
 * operators.
 *
 * <p>The program's and the manager's checks are registered in a {@link
 * dev.windlass.health.checks.Health}. An HTTP endpoint serves their results at {@code /healthz},
 * {@code /livez} and {@code /readyz}, and a log line reports each check that starts to fail or
 * succeeds again. A check that throws an exception or hangs counts as failed and does not affect
 * other checks. Each running check has a thread from a pool that only health checks use. The
 * endpoint's threads and the monitor request the checks. Next, read {@code
 * dev.windlass.manager.monitoring}, which adds the checks that every manager has.
 */
@NullMarked
package dev.windlass.health.checks;

import org.jspecify.annotations.NullMarked;
