// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * A {@link Reconciler} that gets the object itself instead of its key, read from the cache.
 *
 * <p>The object is a copy that may be changed. An object that is gone by the time of the reconcile
 * is not reconciled, and one that does not fit its class fails for good, until it changes: for both
 * override nothing, or write a {@link Reconciler}.
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
