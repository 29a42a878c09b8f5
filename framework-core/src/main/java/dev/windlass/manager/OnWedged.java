// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

/**
 * The reaction of a manager to a controller that no longer makes progress and that only a restart
 * can fix.
 */
public enum OnWedged {
  /**
   * Reports the controller as failing in its liveness check, so that the kubelet restarts the
   * container.
   */
  REPORT,
  /**
   * Reports the controller as failing, gives up leadership and stops the manager with a failure.
   * This value is intended for replicas without probes. The lease is not released but expires,
   * because the wedged controller may resume its work.
   */
  GIVE_UP_LEADERSHIP
}
