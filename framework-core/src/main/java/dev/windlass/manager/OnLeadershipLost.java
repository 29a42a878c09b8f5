// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

/**
 * What a manager does when it loses its lease. In either case the fence closes before anything else
 * happens, everything that runs as the leader is cancelled at once, and the process is not ended.
 */
public enum OnLeadershipLost {

  /**
   * The manager stops, and {@link Manager#run()} throws an exception with {@link
   * dev.windlass.leader.LeadershipLostException} as its cause; the program decides what to do next.
   * The default, as in controller-runtime: a new process has no state from its last term.
   */
  STOP,

  /**
   * Everything that ran as the leader is stopped, and the replica competes again after it has
   * ended. If it does not end in time, the manager stops as with {@link #STOP}.
   */
  STAND_BY
}
