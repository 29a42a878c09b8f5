// SPDX-License-Identifier: Apache-2.0
/**
 * The interfaces that users implement to reconcile objects, and the types in these interfaces.
 *
 * <p>Reconciling is stage 7, the last stage of the path of an event from the API server to the
 * reconciler. A reconciler receives a {@link dev.windlass.controller.reconcile.Request}. The
 * request identifies an object, but does not describe an event. The reconciler returns a {@link
 * dev.windlass.controller.reconcile.Result} or throws an exception. Only one thread at a time
 * processes a given request.
 *
 * <p>Before this stage, a worker of the controller ({@code dev.windlass.controller.running}) takes
 * the request from the work queue ({@code dev.windlass.workqueue}). The worker calls the reconciler
 * on its own thread. After the reconcile, the worker returns the request to the queue.
 */
@NullMarked
package dev.windlass.controller.reconcile;

import org.jspecify.annotations.NullMarked;
