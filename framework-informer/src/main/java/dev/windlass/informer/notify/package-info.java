// SPDX-License-Identifier: Apache-2.0
/**
 * Stage 4, the fan-out: tells every handler what changed, at the handler's own pace.
 *
 * <p>In: {@link dev.windlass.informer.notify.ResourceEvent}s, from the delta applier, after the
 * cache has taken them in. Out: calls of {@link
 * dev.windlass.informer.notify.ResourceEventHandler}s. Invariants: a handler hears of one object in
 * order and is called by one thread at a time; a slow, blocking or throwing handler delays nobody
 * else; what waits for it costs memory per object, not per event; the last state and the deletion
 * of what it has heard of always come. Threads: one loop per handler. Previous: {@link
 * dev.windlass.informer.index}. Next: {@code dev.windlass.controller.enqueue}.
 */
@NullMarked
package dev.windlass.informer.notify;

import org.jspecify.annotations.NullMarked;
