// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/** The circumstances of one reconcile. Valid until the reconcile returns. */
public interface ReconcileContext {

  /** Identifies this one run, for logs. */
  String reconcileId();

  /**
   * How many runs for the request have failed, or asked to be repeated, in a row before this one.
   */
  int attempt();

  /** Whether the controller is being stopped: a reconcile that takes long should come to an end. */
  boolean isCancelled();
}
