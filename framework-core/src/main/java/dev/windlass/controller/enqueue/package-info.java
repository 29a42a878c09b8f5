// SPDX-License-Identifier: Apache-2.0
/**
 * Stage 5, enqueueing: turns events into requests.
 *
 * <p>In: {@link dev.windlass.informer.notify.ResourceEvent}s of the watched types. Out: {@link
 * dev.windlass.controller.reconcile.Request}s, put into a {@link
 * dev.windlass.controller.enqueue.RequestSink}. Invariant: an event that the predicates let through
 * leads to the requests of its handler, of its old state as well as of its new one; nothing leads
 * to a request once its source was stopped. May be dropped: what the predicates refuse. Threads:
 * the handler's loop of the informer. Previous: {@link dev.windlass.informer.notify}. Next: {@link
 * dev.windlass.workqueue}.
 */
@NullMarked
package dev.windlass.controller.enqueue;

import org.jspecify.annotations.NullMarked;
