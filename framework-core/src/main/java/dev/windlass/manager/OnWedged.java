// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

/**
 * A manager's reaction to a wedged controller, which no longer makes progress until the process is
 * restarted; see {@link ManagerBuilder#wedgedWorkers}.
 */
public enum OnWedged {
  /** Makes the controller's liveness check fail, so that the kubelet restarts the container. */
  REPORT,
  /**
   * Makes the controller's liveness check fail, ends this replica's leadership, and stops the
   * manager with a failure. This value is intended for deployments without liveness probes. The
   * manager lets the lease expire instead of releasing it, because the wedged controller may resume
   * its work.
   */
  GIVE_UP_LEADERSHIP
}
