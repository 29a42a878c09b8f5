// SPDX-License-Identifier: Apache-2.0
/**
 * Stage 5, enqueueing: turns events into requests. Users choose predicates and handlers here, and
 * write their own sources of events.
 *
 * <p>In: {@link dev.windlass.informer.notify.ResourceEvent}s of the watched types. Out: {@link
 * dev.windlass.controller.reconcile.Request}s, put into a {@link
 * dev.windlass.controller.enqueue.RequestSink}. Invariants: an event that the predicates accept
 * leads to the requests of its handler, for its old state as well as its new one; a stopped source
 * makes no requests. May be dropped: events that the predicates reject. Threads: the handler's loop
 * of the informer. Previous: {@link dev.windlass.informer.notify}. Next: {@link
 * dev.windlass.workqueue}.
 */
@NullMarked
package dev.windlass.controller.enqueue;

import org.jspecify.annotations.NullMarked;
