// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

/**
 * What a manager does when its lease is lost. In either case the fence is closed before anything
 * else happens, what runs as the leader is cancelled at once, and nothing ends the process.
 */
public enum OnLeadershipLost {

  /**
   * The manager stops, and {@link Manager#run()} throws {@link
   * dev.windlass.leader.LeadershipLostException} as the cause; the program decides what then. The
   * default, as in controller-runtime: a process that begins anew has no state of its last term.
   */
  STOP,

  /**
   * What led is stopped, and competes again when it has ended. If it does not end in time, the
   * manager stops as with {@link #STOP}.
   */
  STAND_BY
}
