// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * A {@link Reconciler} that receives the object itself, read from the cache, instead of its key.
 *
 * <p>The object is a copy that may be modified. The reconciler is not called if the object no
 * longer exists; use a finalizer to run clean-up before deletion. For an object that does not fit
 * its class, the reconcile fails, and is retried once the object has changed.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface ObjectReconciler<T> {

  /**
   * Reconciles one object.
   *
   * @param object the current state in the cache
   * @return what happens to the request next
   * @throws Exception as for {@link Reconciler#reconcile}
   */
  Result reconcile(T object, ReconcileContext context) throws Exception;
}
