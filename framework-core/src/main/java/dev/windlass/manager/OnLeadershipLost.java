// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

/**
 * The reaction of a manager to the loss of its lease. In either case, the fence closes first, and
 * all components that run as the leader are cancelled immediately. The process is not terminated.
 */
public enum OnLeadershipLost {

  /**
   * Stops the manager. {@link Manager#run()} throws an exception with {@link
   * dev.windlass.leader.LeadershipLostException} as its cause, and the program determines the next
   * step. This is the default, as in controller-runtime, because a new process has no state from an
   * earlier term.
   */
  STOP,

  /**
   * Stops all components that ran as the leader. The replica competes again after they have
   * stopped. If they do not stop in time, the manager stops as with {@link #STOP}.
   */
  STAND_BY
}
