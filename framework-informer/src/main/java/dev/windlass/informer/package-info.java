// SPDX-License-Identifier: Apache-2.0
/**
 * The assembly of stages 1 to 4: {@link dev.windlass.informer.SharedIndexInformer}, an {@link
 * dev.windlass.informer.Informer}, puts reflector, delta FIFO, index and fan-out together, and the
 * delta applier moves changes from one to the next.
 *
 * <p>In: a {@link dev.windlass.informer.feed.ListerWatcher}. Out: a cache to read, and events after
 * the cache has taken them in. Invariant: the cache never goes back in time for one object, unless
 * a list says that the server has. Threads: two loops per informer (reflector, applier) and one per
 * handler. Read first: {@link dev.windlass.informer.feed}. Next: {@code
 * dev.windlass.controller.enqueue}.
 */
@NullMarked
package dev.windlass.informer;

import org.jspecify.annotations.NullMarked;
