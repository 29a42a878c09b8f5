// SPDX-License-Identifier: Apache-2.0
/**
 * The controller: {@link dev.windlass.controller.ControllerBuilder} puts sources, queue and
 * reconciler together, and the workers take requests from the queue to the reconciler and back.
 *
 * <p>In: {@link dev.windlass.workqueue.WorkItem}s. Out: calls of a {@link
 * dev.windlass.controller.reconcile.Reconciler}, whose result decides what becomes of the item.
 * Invariants: no reconcile before all sources have synced; whatever a reconcile does, its item is
 * given back. Threads: one loop that waits for the sources, one for each source until it has
 * synced, and the workers. Previous: {@link dev.windlass.workqueue}. Next: {@link
 * dev.windlass.controller.reconcile}.
 */
@NullMarked
package dev.windlass.controller;

import org.jspecify.annotations.NullMarked;
