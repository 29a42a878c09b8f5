// SPDX-License-Identifier: Apache-2.0
/**
 * Kubernetes Events: what a controller reports to people who look at an object with {@code kubectl
 * describe}.
 *
 * <p>In: calls of reconcilers. Out: {@code events.k8s.io/v1} Events on the API server. Invariants:
 * a call never blocks; equal events are one object whose series grows; Events that can't be sent
 * are eventually dropped and counted. Threads: one loop per recorder.
 */
@NullMarked
package dev.windlass.events;

import org.jspecify.annotations.NullMarked;
