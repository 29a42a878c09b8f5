// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: runs a controller. Source runners start its sources, workers take requests from the
 * queue and pass them to the reconciler, a result handler determines what happens to each request
 * after its reconcile, and a watchdog enforces time-outs.
 *
 * <p>{@link dev.windlass.controller.running.ControllerRun} is a controller from its start to its
 * stop, with its terms. {@link dev.windlass.controller.keys.OwnedKeys} knows whether the controller
 * owns its keys. A worker takes a {@link dev.windlass.workqueue.WorkItem} from the queue and calls
 * the {@link dev.windlass.controller.reconcile.Reconciler}. The result determines whether and when
 * the request is reconciled again. The worker releases the item even if the reconcile fails. Two
 * threads never reconcile the same object concurrently.
 *
 * <p>Each worker has its own thread. The watchdog runs on the scheduler's thread. The starter's
 * thread polls the sources and starts the workers. Short-lived threads start and stop sources and
 * run cancellation actions. Next, read {@link dev.windlass.controller.reconcile}.
 */
@NullMarked
package dev.windlass.controller.running;

import org.jspecify.annotations.NullMarked;
