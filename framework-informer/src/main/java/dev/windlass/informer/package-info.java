// SPDX-License-Identifier: Apache-2.0
/**
 * Informers, which cache the objects of a type and notify handlers of changes to these objects.
 *
 * <p>A controller starts its informers itself. Other programs create them with {@link
 * dev.windlass.informer.SharedInformerFactory}. An informer covers stages 1 to 4 of the path of an
 * event from the API server to the reconciler ({@code docs/architecture.md}). A {@link
 * dev.windlass.informer.SharedIndexInformer} implements {@link dev.windlass.informer.Informer}. It
 * consists of a reflector, a delta FIFO, an index and the fan-out. The delta applier takes changes
 * from the delta FIFO, writes them to the index, and passes the resulting events to the fan-out.
 *
 * <p>An informer reads from a {@link dev.windlass.informer.reflector.ListerWatcher}. It provides a
 * readable cache, and delivers each event after the cache has applied the change. The cache never
 * replaces an object with an older version, unless a list shows that the server itself has gone
 * back to that version. Each informer has two loops, one for the reflector and one for the applier.
 * Each handler has a loop of its own.
 *
 * <p>Start with {@link dev.windlass.informer.reflector}. The next stage after an informer is {@code
 * dev.windlass.controller.enqueue}.
 */
@NullMarked
package dev.windlass.informer;

import org.jspecify.annotations.NullMarked;
