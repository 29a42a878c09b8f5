// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the metrics, the health checks and the diagnosis of a controller.
 *
 * <p>{@link dev.windlass.controller.monitoring.MetricsListener} counts what a controller and its
 * queue report, and {@link dev.windlass.controller.monitoring.ControllerGauges} is the state that
 * it reads at each scrape. {@link dev.windlass.controller.monitoring.ControllerHealth} checks a run
 * of the controller, and {@link dev.windlass.controller.monitoring.ControllerDiagnosisCollector}
 * describes it. Monitoring does not change the controller. Metrics are recorded on the threads of
 * the controller; state is read on the threads of the endpoints. Next, read {@code
 * dev.windlass.manager.monitoring}, which combines the checks of all components.
 */
@NullMarked
package dev.windlass.controller.monitoring;

import org.jspecify.annotations.NullMarked;
