// SPDX-License-Identifier: Apache-2.0
/**
 * The controller, which a program builds with {@link dev.windlass.controller.ControllerBuilder}
 * from the types to watch and a reconciler. Its workers take requests from the queue, pass them to
 * the reconciler, and release them afterwards.
 *
 * <p>A controller receives {@link dev.windlass.workqueue.WorkItem}s and calls a {@link
 * dev.windlass.controller.reconcile.Reconciler}, whose result determines whether and when the item
 * is reconciled again. Reconciles start only after all initial sources have synced. The workers
 * release every item, even if its reconcile fails. The threads are one loop that waits for the
 * sources, one thread for each source until it has synced, and the workers. On the path of an event
 * from the API server to the reconciler, the previous stage is {@link dev.windlass.workqueue}
 * (stage 6), and the next stage is {@link dev.windlass.controller.reconcile} (stage 7).
 */
@NullMarked
package dev.windlass.controller;

import org.jspecify.annotations.NullMarked;
