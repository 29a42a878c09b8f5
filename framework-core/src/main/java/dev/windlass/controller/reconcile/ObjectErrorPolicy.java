// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * Determines what happens to a request whose reconcile threw an exception. Unlike an {@link
 * ErrorPolicy}, this policy receives the object instead of the request. For example, it can write
 * the failure to the object's status.
 *
 * <pre>{@code
 * .onError((foo, error, context) -> {
 *   foo.getStatus().setFailure(error.getMessage());
 *   context.client().updateStatus(foo);
 *   throw error; // try again after the back-off
 * })
 * }</pre>
 *
 * <p>After a failed clean-up of a {@code finalizer}, the object is being deleted, and the policy
 * cannot end the retries: the controller retries the clean-up even if the policy returns {@code
 * Result.done()} or throws a {@link TerminalException}.
 *
 * <p>The controller counts and logs the reconcile as failed, regardless of the policy's result. The
 * worker that ran the reconcile calls the policy. It does not call the policy for an {@link Error},
 * for an interrupt that occurs because the controller is stopping, or if the object no longer
 * exists or cannot be read. It does not call the policy for a conflict (409) that the next run is
 * expected to resolve, so the status does not report a failure because another client has changed
 * an object. After five conflicts in a row, the controller calls the policy.
 *
 * <p>Write only values that remain the same while the failure lasts. If the status changes with
 * each failure, for example because it contains a time or a counter, each write causes an event and
 * thus an immediate reconcile.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface ObjectErrorPolicy<T> {

  /**
   * Handles an exception.
   *
   * @param object the object in its current state, including this process's own writes
   * @param error the exception that the reconciler threw
   * @return the result, which is processed as if the reconciler had returned it
   * @throws Exception if the request has failed. The controller processes the exception as if the
   *     reconciler had thrown it. Typically, the policy rethrows {@code error}. If it throws an
   *     unrelated exception, for example because the status cannot be written, the controller logs
   *     both
   */
  Result onError(T object, Exception error, ReconcileContext context) throws Exception;
}
