// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * Determines how a request is processed further after its reconcile threw an exception. Without a
 * policy, the request is retried after its back-off, or dropped after a {@link TerminalException}.
 *
 * <p>The reconcile counts as failed and is logged as failed, regardless of the policy's result. The
 * worker that ran the reconcile calls the policy. The policy is not called for {@link Error}s, or
 * for interrupts caused by a stop of the controller.
 */
@FunctionalInterface
public interface ErrorPolicy {

  /** A policy that rethrows the exception, which has the same effect as having no policy. */
  ErrorPolicy DEFAULT =
      (request, error, context) -> {
        throw error;
      };

  /**
   * Handles an exception.
   *
   * @param error the exception that the reconciler threw
   * @return the result for the request, as if the reconcile had returned it
   * @throws Exception to treat the request as if the reconciler had thrown this exception
   */
  Result onError(Request request, Exception error, ReconcileContext context) throws Exception;
}
