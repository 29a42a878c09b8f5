// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: a controller's metrics, health checks and diagnosis.
 *
 * <p>{@link dev.windlass.controller.monitoring.MetricsListener} counts the events that a controller
 * and its queue report. Its gauges read the run of the controller at each scrape. {@link
 * dev.windlass.controller.monitoring.ControllerHealth} checks a run of the controller, and {@link
 * dev.windlass.controller.monitoring.ControllerDiagnosisCollector} describes it. Monitoring does
 * not change the controller. The controller's threads record metrics. The threads of the HTTP
 * endpoints read the state. Next, read {@code dev.windlass.manager}, which combines the checks of
 * all components.
 */
@NullMarked
package dev.windlass.controller.monitoring;

import org.jspecify.annotations.NullMarked;
