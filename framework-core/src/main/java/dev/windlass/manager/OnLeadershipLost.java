// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

/**
 * What a manager does when it loses its lease. In either case the fence closes first, all
 * components that run as the leader are cancelled at once, and the process is not ended.
 */
public enum OnLeadershipLost {

  /**
   * The manager stops, and {@link Manager#run()} throws an exception with {@link
   * dev.windlass.leader.LeadershipLostException} as its cause; the program decides what to do next.
   * This is the default, as in controller-runtime: a new process has no state from an earlier term.
   */
  STOP,

  /**
   * All components that ran as the leader are stopped, and the replica competes again after they
   * have ended. If they do not end in time, the manager stops as with {@link #STOP}.
   */
  STAND_BY
}
