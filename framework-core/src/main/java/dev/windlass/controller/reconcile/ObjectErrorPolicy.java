// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * Determines how a request is processed further after its reconcile threw an exception, given the
 * object. For example, a policy can write the failure to the object's status.
 *
 * <pre>{@code
 * .onError((foo, error, context) -> {
 *   foo.getStatus().setFailure(error.getMessage());
 *   context.client().updateStatus(foo);
 *   throw error; // try again after the back-off
 * })
 * }</pre>
 *
 * <p>The reconcile counts as failed and is logged as failed, regardless of the policy's result. The
 * worker that ran the reconcile calls the policy. The policy is not called for {@link Error}s, for
 * interrupts caused by a stop of the controller, or if the object no longer exists or cannot be
 * read.
 *
 * <p>Write only values that stay the same while the failure lasts. A status that differs after each
 * failure, for example because it contains a time or a counter, causes an event and thus an
 * immediate reconcile.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface ObjectErrorPolicy<T> {

  /**
   * Handles an exception.
   *
   * @param object the current state of the object, including this process's own writes
   * @param error the exception that the reconciler threw
   * @return the result for the request, as if the reconcile had returned it
   * @throws Exception to treat the request as if the reconciler had thrown this exception; usually
   *     the given exception itself
   */
  Result onError(T object, Exception error, ReconcileContext context) throws Exception;
}
