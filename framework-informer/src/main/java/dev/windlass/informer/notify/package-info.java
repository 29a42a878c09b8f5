// SPDX-License-Identifier: Apache-2.0
/**
 * Stage 4, the fan-out: delivers changes to every handler at its own pace.
 *
 * <p>In: {@link dev.windlass.informer.notify.ResourceEvent}s, from the delta applier, after the
 * cache has applied them. Out: calls of {@link dev.windlass.informer.notify.ResourceEventHandler}s.
 * Invariants: a handler receives the events of one object in order and is called by one thread at a
 * time; a slow, blocking or throwing handler delays no other handler; pending events take memory
 * per object, not per event; the last state and the deletion of every object that it has received
 * are always delivered. Threads: one loop per handler. Previous: {@link
 * dev.windlass.informer.index}. Next: {@code dev.windlass.controller.enqueue}.
 */
@NullMarked
package dev.windlass.informer.notify;

import org.jspecify.annotations.NullMarked;
