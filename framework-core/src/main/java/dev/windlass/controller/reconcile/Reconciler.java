// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * Drives the actual state of an object towards its desired state. Every controller has a
 * reconciler.
 *
 * <p>A reconcile compares the desired state with the actual state and takes the next steps. It must
 * be idempotent. The controller repeats it after each failure and after each change to the object
 * or to one of its owned objects. The controller also reconciles every existing object at startup.
 * Several threads can call a reconciler concurrently, but never for the same request.
 *
 * <p>See {@link dev.windlass.client.owned.CreateOrUpdate} to create or update objects, {@link
 * dev.windlass.client.owned.Conditions} for conditions in a status, and {@link
 * dev.windlass.client.owned.Finalizers} for clean-up before deletion.
 */
@FunctionalInterface
public interface Reconciler {

  /**
   * Reconciles one object.
   *
   * @return the result, which determines whether and when the object is reconciled again
   * @throws Exception if the reconcile failed. The controller retries the request after its
   *     back-off, unless the exception is a {@link TerminalException}
   */
  Result reconcile(Request request, ReconcileContext context) throws Exception;
}
