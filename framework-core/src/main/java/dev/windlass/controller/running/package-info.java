// SPDX-License-Identifier: Apache-2.0
/**
 * The run of a controller: workers take requests from the queue to the reconciler, a verdict
 * decides what becomes of each, and a watchdog enforces time-outs.
 *
 * <p>In: {@link dev.windlass.workqueue.WorkItem}s. Out: calls of a {@link
 * dev.windlass.controller.reconcile.Reconciler}, whose result decides what becomes of the item.
 * Invariants: whatever a reconcile does, its item is given back; one object is never reconciled by
 * two threads. Threads: the workers, the alarms of the watchdog, and short-lived threads for
 * clean-up. Previous: {@link dev.windlass.controller.sources}. Next: {@link
 * dev.windlass.controller.reconcile}.
 */
@NullMarked
package dev.windlass.controller.running;

import org.jspecify.annotations.NullMarked;
