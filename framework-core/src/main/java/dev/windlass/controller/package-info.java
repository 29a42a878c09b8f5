// SPDX-License-Identifier: Apache-2.0
/**
 * The controller. A program uses a {@link dev.windlass.controller.ControllerBuilder} to build a
 * controller from a reconciler and the types to watch. The workers of the controller take requests
 * from the queue, pass them to the reconciler, and release them afterwards.
 *
 * <p>A controller receives {@link dev.windlass.workqueue.WorkItem}s and calls a {@link
 * dev.windlass.controller.reconcile.Reconciler}. The result of the reconciler determines whether
 * and when the item is reconciled again. Reconciles start only after all initial sources have
 * synced. The workers release every item, even if its reconcile fails. A controller has one thread
 * that waits for the sources, one for each source while it starts, and the threads of the workers.
 * On the path of an event from the API server to the reconciler, the previous stage is {@link
 * dev.windlass.workqueue} (stage 6), and the next stage is {@link
 * dev.windlass.controller.reconcile} (stage 7).
 */
@NullMarked
package dev.windlass.controller;

import org.jspecify.annotations.NullMarked;
