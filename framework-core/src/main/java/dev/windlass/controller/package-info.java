// SPDX-License-Identifier: Apache-2.0
/**
 * The controller, which a program builds with {@link dev.windlass.controller.ControllerBuilder}
 * from the types to watch and a reconciler. Its workers take requests from the queue, pass them to
 * the reconciler, and return them to the queue.
 *
 * <p>In: {@link dev.windlass.workqueue.WorkItem}s. Out: calls of a {@link
 * dev.windlass.controller.reconcile.Reconciler}, whose result decides what happens to the item.
 * Invariants: no reconcile before all sources have synced; every item is returned to the queue,
 * even if its reconcile fails. Threads: one loop that waits for the sources, one for each source
 * until it has synced, and the workers. Previous: {@link dev.windlass.workqueue}. Next: {@link
 * dev.windlass.controller.reconcile}.
 */
@NullMarked
package dev.windlass.controller;

import org.jspecify.annotations.NullMarked;
