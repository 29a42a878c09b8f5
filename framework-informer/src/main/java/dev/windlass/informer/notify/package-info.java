// SPDX-License-Identifier: Apache-2.0
/**
 * The fan-out, which delivers changes to each handler independently of other handlers. The fan-out
 * is stage 4 of the path of an event from the API server to the reconciler ({@code
 * docs/architecture.md}).
 *
 * <p>After the cache has applied a change, the delta applier passes a {@link
 * dev.windlass.informer.notify.ResourceEvent} to the fan-out, which calls each {@link
 * dev.windlass.informer.notify.ResourceEventHandler}. A handler receives the events for one object
 * in order. Only one thread at a time calls it. A handler that is slow, blocks or throws exceptions
 * does not delay other handlers. The memory for pending events is limited by the number of objects,
 * not by the number of events. For every object that a handler has received, the fan-out always
 * delivers the last state and the deletion. Each handler has its own loop.
 *
 * <p>The previous stage is {@link dev.windlass.informer.index}, and the next stage is {@code
 * dev.windlass.controller.enqueue}.
 */
@NullMarked
package dev.windlass.informer.notify;

import org.jspecify.annotations.NullMarked;
