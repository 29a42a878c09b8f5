// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

/** What happens when a controller can't work any more, and nothing but a restart would cure it. */
public enum OnWedged {
  /** Its check of liveness is red, so that the kubelet restarts the container. */
  REPORT,
  /**
   * Besides, the manager gives up to lead and stops with an error, for replicas without probes. The
   * lease is not given back, as what is wedged may go on: it expires.
   */
  GIVE_UP_LEADERSHIP
}
