// SPDX-License-Identifier: Apache-2.0
/**
 * Informers, which cache the objects of a type and notify handlers of changes to these objects.
 *
 * <p>A controller starts its informers itself. Other programs create them with {@link
 * dev.windlass.informer.SharedInformerFactory}. An informer combines stages 1 to 4 of the path of
 * an event from the API server to the reconciler ({@code docs/architecture.md}): a {@link
 * dev.windlass.informer.SharedIndexInformer}, which is an {@link dev.windlass.informer.Informer},
 * consists of a reflector, a delta FIFO, an index and the fan-out. The delta applier takes changes
 * from the delta FIFO, writes them to the index, and passes the resulting events to the fan-out.
 *
 * <p>An informer reads from a {@link dev.windlass.informer.reflector.ListerWatcher}. It provides a
 * readable cache, and delivers events after the cache has applied them. For one object, the cache
 * never returns to an older state, unless a list shows that the server itself has returned to that
 * state. There are two loops for each informer (the reflector and the applier) and one loop for
 * each handler.
 *
 * <p>Start with {@link dev.windlass.informer.reflector}. The stage after an informer is {@code
 * dev.windlass.controller.enqueue}.
 */
@NullMarked
package dev.windlass.informer;

import org.jspecify.annotations.NullMarked;
