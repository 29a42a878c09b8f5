// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * Decides what becomes of a request whose reconcile threw an exception. Without one it is tried
 * again after its back-off, or, after a {@link TerminalException}, not at all.
 *
 * <p>Such a reconcile counts as failed, and is logged as such, whatever the policy says. Called by
 * the worker that ran the reconcile; not called for {@link Error}s, nor when the controller stops.
 */
@FunctionalInterface
public interface ErrorPolicy {

  /** Throws the error again, which leads to what happens without a policy. */
  ErrorPolicy DEFAULT =
      (request, error, context) -> {
        throw error;
      };

  /**
   * Answers an error.
   *
   * @param error what the reconciler threw
   * @return what is to become of the request, as if the reconcile had returned it
   * @throws Exception to have the request treated as if the reconciler had thrown this
   */
  Result onError(Request request, Exception error, ReconcileContext context) throws Exception;
}
