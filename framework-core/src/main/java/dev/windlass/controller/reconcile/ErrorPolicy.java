// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * Decides what happens to a request whose reconcile threw an exception. Without a policy, the
 * request is retried after its back-off, or not at all after a {@link TerminalException}.
 *
 * <p>The reconcile counts as failed and is logged as such, regardless of the policy's result. The
 * worker that ran the reconcile calls the policy. It is not called for {@link Error}s, or when the
 * controller stops.
 */
@FunctionalInterface
public interface ErrorPolicy {

  /** Rethrows the exception, which has the same effect as having no policy. */
  ErrorPolicy DEFAULT =
      (request, error, context) -> {
        throw error;
      };

  /**
   * Handles an exception.
   *
   * @param error the exception that the reconciler threw
   * @return what happens to the request, as if the reconcile had returned it
   * @throws Exception to treat the request as if the reconciler had thrown this exception
   */
  Result onError(Request request, Exception error, ReconcileContext context) throws Exception;
}
