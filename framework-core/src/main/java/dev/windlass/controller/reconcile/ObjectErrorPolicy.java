// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * Decides what happens to a request whose reconcile threw an exception, given the object. For
 * example, it can write the failure to the object's status.
 *
 * <pre>{@code
 * .onError((foo, error, context) -> {
 *   foo.getStatus().setFailure(error.getMessage());
 *   context.client().updateStatus(foo);
 *   throw error; // try again after the back-off
 * })
 * }</pre>
 *
 * <p>The reconcile counts as failed and is logged as such, regardless of the policy's result. The
 * worker that ran the reconcile calls the policy. It is not called for {@link Error}s, when the
 * controller stops, or when the object no longer exists or can't be read. A status that differs
 * after each failure, because it contains a time or a counter, causes an event and thus an
 * immediate reconcile: write only what stays the same while the failure lasts.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface ObjectErrorPolicy<T> {

  /**
   * Handles an exception.
   *
   * @param object the current state of the object, including own writes
   * @param error the exception that the reconciler threw
   * @return what happens to the request, as if the reconcile had returned it
   * @throws Exception to treat the request as if the reconciler had thrown this exception; usually
   *     the given exception itself
   */
  Result onError(T object, Exception error, ReconcileContext context) throws Exception;
}
