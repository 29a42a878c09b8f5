// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: a program's metrics, recorded with Micrometer.
 *
 * <p>The package receives notifications from the queue, the informers, the client and the elector,
 * and reads their state on request. It updates the meters of one registry, which have the same
 * names and labels as in controller-runtime. Metrics that exist only in Windlass have the prefix
 * {@code windlass_}. Label values are never derived from cluster users' data, so the number of
 * series is bounded. Events are counted on the thread on which they occur. State is read on the
 * scraping thread. Start with {@link dev.windlass.metrics.ManagerMetrics}, and then read {@code
 * dev.windlass.manager}.
 */
@NullMarked
package dev.windlass.metrics;

import org.jspecify.annotations.NullMarked;
