// SPDX-License-Identifier: Apache-2.0
/**
 * Stage 5, enqueueing: turns events into requests. Users select predicates and handlers here, and
 * can write their own sources.
 *
 * <p>This stage receives the {@link dev.windlass.informer.notify.ResourceEvent}s of the watched
 * types and puts {@link dev.windlass.controller.reconcile.Request}s into a {@link
 * dev.windlass.controller.enqueue.RequestSink}. For an event that the predicates accept, the
 * handler adds requests for both the old and the new state. Events that the predicates reject are
 * dropped. A stopped source adds no requests. The code runs on the informer's handler loop. The
 * previous stage is {@link dev.windlass.informer.notify}, and the next stage is {@link
 * dev.windlass.workqueue}.
 */
@NullMarked
package dev.windlass.controller.enqueue;

import org.jspecify.annotations.NullMarked;
