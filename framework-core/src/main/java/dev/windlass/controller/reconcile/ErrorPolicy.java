// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * Determines what happens to a request whose reconcile threw an exception. Without a policy, the
 * controller drops the request if the exception is a {@link TerminalException}. Otherwise, it
 * retries the request after the request's back-off.
 *
 * <p>A policy cannot end the retries of a failed clean-up of a {@code finalizer}: the controller
 * retries it even if the policy returns {@code Result.done()} or throws a {@link
 * TerminalException}.
 *
 * <p>The controller counts and logs the reconcile as failed, regardless of the policy's result. The
 * worker that ran the reconcile calls the policy. It does not call the policy for an {@link Error},
 * for an interrupt that occurs because the controller is stopping, or for a conflict (409) that the
 * next run is expected to resolve. The latter are the first four conflicts in a row of a request,
 * which the controller retries after the back-off. A {@link dev.windlass.client.NotFoundException}
 * counts as a conflict: an object that was read has been deleted.
 */
@FunctionalInterface
public interface ErrorPolicy {

  /** A policy that rethrows every exception. It has the same effect as no policy. */
  ErrorPolicy DEFAULT =
      (request, error, context) -> {
        throw error;
      };

  /**
   * Handles an exception.
   *
   * @param error the exception that the reconciler threw
   * @return the result, which is processed as if the reconciler had returned it
   * @throws Exception if the request has failed. The controller processes the exception as if the
   *     reconciler had thrown it. If the exception is not {@code error} and does not have {@code
   *     error} as a cause, the controller logs both
   */
  Result onError(Request request, Exception error, ReconcileContext context) throws Exception;
}
