// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

/**
 * A manager's reaction when it loses its lease. Whatever the reaction, the fence closes first, and
 * the manager immediately cancels all components that run as the leader. The manager never
 * terminates the process.
 */
public enum OnLeadershipLost {

  /**
   * Stops the manager. {@link Manager#run()} throws an exception whose cause is a {@link
   * dev.windlass.leader.LeadershipLostException}, and the program can then exit. This is the
   * default, as in controller-runtime, because a new process does not contain state from the time
   * before the loss.
   */
  STOP,

  /**
   * Stops all components that ran as the leader. When they have stopped, the replica competes for
   * the lease again. If they do not stop before another replica can become the leader, the manager
   * stops as with {@link #STOP}.
   */
  STAND_BY
}
