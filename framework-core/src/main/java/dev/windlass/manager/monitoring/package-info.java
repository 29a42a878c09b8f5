// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the health checks that every manager has, and the diagnosis of a manager.
 *
 * <p>The package reads the state of a manager's components, caches and leases ({@link
 * dev.windlass.manager.monitoring.ManagerState}). {@link
 * dev.windlass.manager.monitoring.BuiltInHealthChecks} adds checks to the manager's health, and
 * {@link dev.windlass.manager.monitoring.DiagnosisCollector} creates a {@link
 * dev.windlass.diagnosis.Diagnosis}. Monitoring does not send requests to the API server or change
 * the state. It runs on the endpoints' threads and on the health monitor's thread. Next, read
 * {@link dev.windlass.health.checks}, which runs the checks.
 */
@NullMarked
package dev.windlass.manager.monitoring;

import org.jspecify.annotations.NullMarked;
