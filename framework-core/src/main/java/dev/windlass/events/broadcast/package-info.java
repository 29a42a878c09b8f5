// SPDX-License-Identifier: Apache-2.0
/**
 * Sends Kubernetes Events to the API server, grouped into series and within rate limits.
 *
 * <p>Recorders ({@link dev.windlass.events.EventRecorder}) accept events and create {@code
 * events.k8s.io/v1} Events on the API server. Their methods never block. If an event is repeated,
 * the recorder increases the count of its Event. If an Event cannot be sent, the recorder retries
 * the request, and finally drops the Event and counts it as dropped. Each recorder has one loop
 * with its own thread. Start with {@link dev.windlass.events.broadcast.EventBroadcaster}, which is
 * public for programs that do not use a manager.
 */
@NullMarked
package dev.windlass.events.broadcast;

import org.jspecify.annotations.NullMarked;
