// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

/** What a manager does when a controller no longer makes progress and only a restart fixes it. */
public enum OnWedged {
  /** The liveness check of the controller is red, so that the kubelet restarts the container. */
  REPORT,
  /**
   * In addition, the manager gives up leadership and stops with an error, for replicas without
   * probes. The lease is not released but expires, because the wedged controller may resume its
   * work.
   */
  GIVE_UP_LEADERSHIP
}
