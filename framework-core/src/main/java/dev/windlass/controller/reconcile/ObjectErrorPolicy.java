// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * Decides what happens to a request whose reconcile threw an exception, given the object: for
 * instance, writes the failure into the object's status.
 *
 * <pre>{@code
 * .onError((foo, error, context) -> {
 *   foo.getStatus().setFailure(error.getMessage());
 *   context.client().updateStatus(foo);
 *   throw error; // try again after the back-off
 * })
 * }</pre>
 *
 * <p>The reconcile counts as failed and is logged as such, whatever the policy does. It is called
 * by the worker that ran the reconcile, but not for {@link Error}s, when the controller stops, or
 * when the object is gone or can't be read. A status that changes with each failure, by a time or a
 * counter in it, leads to an event and so to a reconcile at once: write what stays the same while
 * the failure does.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface ObjectErrorPolicy<T> {

  /**
   * Answers an error.
   *
   * @param object the current state of the object, own writes included
   * @param error what the reconciler threw
   * @return what happens to the request, as if the reconcile had returned it
   * @throws Exception to treat the request as if the reconciler had thrown this; usually the error
   *     itself
   */
  Result onError(T object, Exception error, ReconcileContext context) throws Exception;
}
