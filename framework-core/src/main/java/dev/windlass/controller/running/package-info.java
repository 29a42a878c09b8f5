// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: runs a controller. Source runners start its sources, workers take requests from the
 * queue and pass them to the reconciler, a result handler determines what happens to each request
 * after its reconcile, and a watchdog enforces time-outs.
 *
 * <p>{@link dev.windlass.controller.running.ControllerRun} is one run of a controller, from startup
 * to the following shutdown. The package receives {@link dev.windlass.workqueue.WorkItem}s and
 * calls a {@link dev.windlass.controller.reconcile.Reconciler}, whose result determines whether and
 * when the request is reconciled again. If a controller ignores its own events, {@code OwnEvents}
 * recognises them before they reach the queue. The workers release every item, even if its
 * reconcile fails. No two threads reconcile the same object concurrently. The threads are the
 * workers, the scheduler's thread, which runs the watchdog, one thread for each source until it has
 * synced, and short-lived threads that stop sources and run cancellation actions. {@link
 * dev.windlass.controller.building} creates the configuration that a run uses. Next, read {@link
 * dev.windlass.controller.reconcile}.
 */
@NullMarked
package dev.windlass.controller.running;

import org.jspecify.annotations.NullMarked;
