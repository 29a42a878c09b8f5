// SPDX-License-Identifier: Apache-2.0
/**
 * Informers, which keep a cache of the objects of a type and deliver their changes. A controller
 * starts them itself; other programs create them with {@link
 * dev.windlass.informer.SharedInformerFactory}. Assembles stages 1 to 4: {@link
 * dev.windlass.informer.SharedIndexInformer}, an {@link dev.windlass.informer.Informer}, combines
 * reflector, delta FIFO, index and fan-out, and the delta applier moves changes from one stage to
 * the next.
 *
 * <p>In: a {@link dev.windlass.informer.feed.ListerWatcher}. Out: a readable cache, and events that
 * are delivered after the cache has applied them. Invariant: for one object, the cache never
 * returns to an older state, unless a list shows that the server has. Threads: two loops per
 * informer (reflector, applier) and one per handler. Read first: {@link
 * dev.windlass.informer.feed}. Next: {@code dev.windlass.controller.enqueue}.
 */
@NullMarked
package dev.windlass.informer;

import org.jspecify.annotations.NullMarked;
