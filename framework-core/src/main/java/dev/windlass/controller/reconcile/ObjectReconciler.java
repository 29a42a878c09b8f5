// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * A {@link Reconciler} that gets the object itself instead of its key, read from the cache.
 *
 * <p>The object is a copy that may be changed. One that is gone by the time of the reconcile is not
 * reconciled: a finalizer keeps it for as long as there is something to clean up. One that does not
 * fit its class fails, and is tried again when it has changed.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface ObjectReconciler<T> {

  /**
   * Reconciles one object.
   *
   * @param object as the cache holds it now
   * @return what is to become of the request
   * @throws Exception as {@link Reconciler#reconcile}
   */
  Result reconcile(T object, ReconcileContext context) throws Exception;
}
