// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * Makes the world as an object wants it. The one interface that every controller implements.
 *
 * <p>A reconcile compares what is wanted with what is, and takes the next steps. It must be
 * idempotent: it is called again after every change of the object and of what it owns, after
 * failures, and at start for every object there is. It may be called by several threads, but never
 * by two for one request.
 */
@FunctionalInterface
public interface Reconciler {

  /**
   * Reconciles one object.
   *
   * @return what is to become of the request
   * @throws Exception if it could not be done; the request is tried again after its back-off,
   *     unless it is a {@link TerminalException}
   */
  Result reconcile(Request request, ReconcileContext context) throws Exception;
}
