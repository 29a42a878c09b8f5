// SPDX-License-Identifier: Apache-2.0
/**
 * Kubernetes Events, which a controller records about an object and {@code kubectl describe} shows.
 *
 * <p>{@code Manager.eventRecorder} returns an {@link dev.windlass.events.EventRecorder} to pass to
 * a reconciler. Its calls never block, and are thread safe. Next: {@code
 * dev.windlass.events.broadcast}, which writes them.
 */
@NullMarked
package dev.windlass.events;

import org.jspecify.annotations.NullMarked;
