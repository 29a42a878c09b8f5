// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * Reconciles objects like a {@link Reconciler}. Instead of a key, it receives the object, which the
 * controller reads from the cache.
 *
 * <p>The object is a copy that the reconciler can modify. The controller does not call the
 * reconciler if the object no longer exists. Use a finalizer to run clean-up before deletion. If
 * the object cannot be decoded into its Java class, the reconcile fails, and the controller does
 * not retry it until the object changes.
 *
 * @param <T> the objects' type
 */
@FunctionalInterface
public interface ObjectReconciler<T> {

  /**
   * Reconciles one object.
   *
   * @param object the object in its current state in the cache
   * @return the result, which determines whether and when the object is reconciled again
   * @throws Exception if the reconcile failed; see {@link Reconciler#reconcile}
   */
  Result reconcile(T object, ReconcileContext context) throws Exception;
}
