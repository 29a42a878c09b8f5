// SPDX-License-Identifier: Apache-2.0
/**
 * Predicates, event handlers and sources, which turn events into reconcile requests. Users select
 * predicates and handlers, and can write their own sources.
 *
 * <p>Enqueueing is stage 5 of the path of an event from the API server to the reconciler. This
 * stage receives the {@link dev.windlass.informer.notify.ResourceEvent}s of the watched types, and
 * adds {@link dev.windlass.controller.reconcile.Request}s to a {@link
 * dev.windlass.controller.enqueue.RequestSink}. It drops the events that the predicates reject. For
 * all other events, the handler adds requests for both the old and the new version of the object.
 * The controller drops what a stopped source adds. The code runs on the informer's handler loop.
 * The previous stage is {@link dev.windlass.informer.notify}, and the next stage is {@link
 * dev.windlass.workqueue}.
 */
@NullMarked
package dev.windlass.controller.enqueue;

import org.jspecify.annotations.NullMarked;
