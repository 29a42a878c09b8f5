// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the metrics of a program, recorded with Micrometer.
 *
 * <p>In: notifications from the queue, the informers, the client and the elector, and the state
 * they report on request. Out: the meters of one registry, with the names and labels of
 * controller-runtime; metrics that no other framework has begin with {@code windlass_}. Invariant:
 * no label value comes from data of cluster users, so the number of series is bounded. Threads:
 * events are counted on the thread where they occur; state is read on the thread that scrapes. Read
 * {@link dev.windlass.metrics.ManagerMetrics} first. Next: {@code dev.windlass.manager}.
 */
@NullMarked
package dev.windlass.metrics;

import org.jspecify.annotations.NullMarked;
