// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

/**
 * A manager's reaction to the loss of its lease. In both cases, all further writes by the
 * components that run only on the leader fail, and the manager immediately cancels these
 * components. The manager never terminates the process.
 */
public enum OnLeadershipLost {

  /**
   * Stops the manager. {@link Manager#run()} throws an exception whose cause is a {@link
   * dev.windlass.leader.LeadershipLostException}, and the program can then exit. This is the
   * default, as in controller-runtime, because a restarted process does not retain any state from
   * the time when it was the leader.
   */
  STOP,

  /**
   * Stops the components that run only on the leader. After they have stopped, the replica competes
   * for the lease again. If they do not stop before another replica can become the leader, the
   * manager stops as with {@link #STOP}.
   */
  STAND_BY
}
