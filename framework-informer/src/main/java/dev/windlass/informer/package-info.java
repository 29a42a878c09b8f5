// SPDX-License-Identifier: Apache-2.0
/**
 * Informers, which cache the objects of a type and deliver changes to them.
 *
 * <p>A controller starts its informers itself. Other programs create them with {@link
 * dev.windlass.informer.SharedInformerFactory}. An informer combines stages 1 to 4: a {@link
 * dev.windlass.informer.SharedIndexInformer}, which is an {@link dev.windlass.informer.Informer},
 * consists of a reflector, a delta FIFO, an index and the fan-out. The delta applier moves changes
 * from one stage to the next.
 *
 * <p>An informer reads from a {@link dev.windlass.informer.reflector.ListerWatcher}. It provides a
 * readable cache, and delivers events after the cache has applied them. For one object, the cache
 * never returns to an older state, unless a list shows that the server has done so. There are two
 * loops for each informer (the reflector and the applier) and one loop for each handler.
 *
 * <p>Read {@link dev.windlass.informer.reflector} first. Next: {@code
 * dev.windlass.controller.enqueue}.
 */
@NullMarked
package dev.windlass.informer;

import org.jspecify.annotations.NullMarked;
