// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: runs a controller: workers take requests from the queue and pass them to the
 * reconciler, a result handler decides what happens to each request next, and a watchdog enforces
 * time-outs.
 *
 * <p>In: {@link dev.windlass.workqueue.WorkItem}s. Out: calls of a {@link
 * dev.windlass.controller.reconcile.Reconciler}, whose result decides what happens to the item.
 * Invariants: every item is returned to the queue, even if its reconcile fails; two threads never
 * reconcile the same object. Threads: the workers, the alarms of the watchdog, and short-lived
 * threads for clean-up. Previous: {@link dev.windlass.controller.sources}. Next: {@link
 * dev.windlass.controller.reconcile}.
 */
@NullMarked
package dev.windlass.controller.running;

import org.jspecify.annotations.NullMarked;
