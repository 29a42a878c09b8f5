// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

/**
 * Receives notifications when the leader changes. The elector's thread calls the methods in order.
 * The methods must return immediately, because the lease is not renewed while they run. Exceptions
 * are logged.
 */
public interface LeaderListener {

  /** Reports that the server has accepted that this replica leads. */
  default void startedLeading() {}

  /**
   * Reports that this replica no longer leads. The fence is already closed. This method is called
   * exactly once after each {@link #startedLeading}, even if the elector is stopped.
   */
  default void stoppedLeading(LeadershipLostException why) {}

  /**
   * Reports that the lease has a new holder, which can be this replica.
   *
   * @param identity the holder's identity in the Lease
   */
  default void newLeader(String identity) {}
}
