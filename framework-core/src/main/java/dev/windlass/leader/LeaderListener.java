// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

/**
 * Hears who leads. Called on the elector's thread, in order; it must return at once, because a
 * lease is not renewed meanwhile. What it throws is logged.
 */
public interface LeaderListener {

  /** The server has accepted that this replica leads. */
  default void startedLeading() {}

  /**
   * This replica leads no longer; the fence is closed already. Follows each {@link #startedLeading}
   * exactly once, also when the elector is stopped.
   */
  default void stoppedLeading(LeadershipLostException why) {}

  /**
   * Somebody holds the lease who did not before, which may be this replica.
   *
   * @param identity as it stands in the Lease
   */
  default void newLeader(String identity) {}
}
