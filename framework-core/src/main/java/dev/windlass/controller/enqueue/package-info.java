// SPDX-License-Identifier: Apache-2.0
/**
 * Predicates, event handlers and sources, which turn events into reconcile requests. Users select
 * predicates and handlers, and can write their own sources.
 *
 * <p>Enqueueing is stage 5 of the path of an event from the API server to the reconciler. This
 * stage receives the {@link dev.windlass.informer.notify.ResourceEvent}s of the watched types and
 * puts {@link dev.windlass.controller.reconcile.Request}s into a {@link
 * dev.windlass.controller.enqueue.RequestSink}. For an event that the predicates accept, the
 * handler adds requests for both the old and the new state. The stage drops events that the
 * predicates reject. A stopped source adds no requests. The code runs on the informer's handler
 * loop. The previous stage is {@link dev.windlass.informer.notify}, and the next stage is {@link
 * dev.windlass.workqueue}.
 */
@NullMarked
package dev.windlass.controller.enqueue;

import org.jspecify.annotations.NullMarked;
