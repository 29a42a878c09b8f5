// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

/**
 * A manager's reaction to a wedged controller, whose workers are all permanently blocked; see
 * {@link ManagerBuilder#wedgedWorkers}.
 */
public enum OnWedged {
  /** Makes the controller's liveness check fail, so that the kubelet restarts the container. */
  REPORT,
  /**
   * Makes the controller's liveness check fail, ends this replica's leadership, and stops the
   * manager with a failure. Use this value in deployments without liveness probes. The manager does
   * not release the lease but lets it expire, because the wedged controller may resume its work.
   */
  GIVE_UP_LEADERSHIP
}
