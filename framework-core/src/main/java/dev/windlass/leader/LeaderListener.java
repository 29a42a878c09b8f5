// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

/**
 * Receives notifications when the leader changes. The elector's thread calls the methods in the
 * order in which the changes occur. The methods must return immediately, because the elector cannot
 * renew the lease while they run. The elector logs exceptions and otherwise ignores them.
 */
public interface LeaderListener {

  /**
   * Receives a notification when this replica has become the leader. At this point, the server has
   * accepted the replica's write to the Lease.
   */
  default void startedLeading() {}

  /**
   * Receives a notification when this replica is no longer the leader. The fence is already closed.
   * The elector calls this method exactly once after each {@link #startedLeading}, even if the
   * elector is stopped.
   *
   * @param why the reason
   */
  default void stoppedLeading(LeadershipLostException why) {}

  /**
   * Receives a notification when the lease has a new holder, which can be this replica.
   *
   * @param identity the holder's identity in the Lease
   */
  default void newLeader(String identity) {}
}
