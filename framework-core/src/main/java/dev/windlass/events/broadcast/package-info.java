// SPDX-License-Identifier: Apache-2.0
/**
 * Writes Kubernetes Events: correlation, series, rate limits and the requests.
 *
 * <p>In: calls of {@link dev.windlass.events.EventRecorder}s. Out: {@code events.k8s.io/v1} Events
 * on the API server. Invariants: a call never blocks; equal events are one object whose series
 * grows; Events that can't be sent are eventually dropped and counted. Threads: one loop per
 * recorder. Read {@link dev.windlass.events.broadcast.EventBroadcaster} first: it is public for
 * programs without a manager.
 */
@NullMarked
package dev.windlass.events.broadcast;

import org.jspecify.annotations.NullMarked;
