// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the built-in health checks and the diagnosis of a manager.
 *
 * <p>The package reads the state of a manager's components, caches and leases ({@link
 * dev.windlass.manager.monitoring.ManagerState}). {@link
 * dev.windlass.manager.monitoring.BuiltInHealthChecks} adds checks to the manager's health, and
 * {@link dev.windlass.manager.monitoring.DiagnosisCollector} creates a {@link
 * dev.windlass.diagnosis.Diagnosis}. The package neither sends requests to the API server nor
 * changes the manager's state. It runs on the threads of the endpoints and of the health monitor.
 * Next, read {@link dev.windlass.health.checks}, which runs the checks.
 */
@NullMarked
package dev.windlass.manager.monitoring;

import org.jspecify.annotations.NullMarked;
