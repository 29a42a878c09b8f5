// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * Determines what happens to a request whose reconcile threw an exception. Without a policy, the
 * controller drops the request if the exception is a {@link TerminalException}. Otherwise, it
 * retries the request after the request's back-off.
 *
 * <p>The controller counts and logs the reconcile as failed, regardless of the policy's result. The
 * worker that ran the reconcile calls the policy. It does not call the policy for an {@link Error},
 * or for an interrupt that occurs because the controller is stopping.
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
   * @throws Exception to report a failure; the controller processes the exception as if the
   *     reconciler had thrown it
   */
  Result onError(Request request, Exception error, ReconcileContext context) throws Exception;
}
