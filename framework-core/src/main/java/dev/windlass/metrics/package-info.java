// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the metrics of a program, which are recorded with Micrometer.
 *
 * <p>The queue, the informers, the client and the elector notify the package of events. It reads
 * their state when the metrics are scraped. All meters are in one registry. Their names and labels
 * are the same as in controller-runtime. Metrics that exist only in Windlass have the prefix {@code
 * windlass_}. Label values are never derived from the data of cluster users, so the number of
 * series is bounded. Each event is counted on the thread that causes it. State is read on the
 * scraping thread. Start with {@link dev.windlass.metrics.ManagerMetrics}, and then read {@code
 * dev.windlass.manager}.
 */
@NullMarked
package dev.windlass.metrics;

import org.jspecify.annotations.NullMarked;
