// SPDX-License-Identifier: Apache-2.0
/**
 * Kubernetes Events, which a controller records about an object and which {@code kubectl describe}
 * prints.
 *
 * <p>{@code Manager.eventRecorder} returns an {@link dev.windlass.events.EventRecorder} that a
 * program passes to a reconciler. The recorder's methods do not block and are thread-safe. Next,
 * read {@code dev.windlass.events.broadcast}, which sends the Events.
 */
@NullMarked
package dev.windlass.events;

import org.jspecify.annotations.NullMarked;
