// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: runs the health checks of a manager, and reports their results to the kubelet and to
 * operators.
 *
 * <p>The program's and the manager's checks are registered in a {@link
 * dev.windlass.health.checks.Health}. An HTTP endpoint serves the results at {@code /healthz},
 * {@code /livez} and {@code /readyz}, and a {@link dev.windlass.health.checks.HealthMonitor} logs
 * each check that starts to fail or succeeds again. A check that throws an exception or hangs
 * counts as failed and does not affect other checks. Each running check occupies a thread of a pool
 * that only health checks use. The threads of the endpoint and of the monitor start the checks and
 * wait for the results. Next, read {@code dev.windlass.manager}, which adds the checks that every
 * manager has.
 */
@NullMarked
package dev.windlass.health.checks;

import org.jspecify.annotations.NullMarked;
