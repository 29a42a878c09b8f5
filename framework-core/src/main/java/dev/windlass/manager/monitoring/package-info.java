// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the health checks that every manager has, and the diagnosis of a manager.
 *
 * <p>In: the state of a manager's components, caches and leases ({@link
 * dev.windlass.manager.monitoring.ManagerState}). Out: checks in the health of the manager ({@link
 * dev.windlass.manager.monitoring.BuiltInChecks}), and a {@link dev.windlass.diagnosis.Diagnosis}.
 * Invariant: monitoring sends no requests and changes nothing. Threads: those of the endpoints and
 * of the health monitor. Next: {@link dev.windlass.health.checks}, which runs the checks.
 */
@NullMarked
package dev.windlass.manager.monitoring;

import org.jspecify.annotations.NullMarked;
