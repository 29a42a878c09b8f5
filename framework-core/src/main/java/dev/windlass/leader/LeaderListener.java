// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

/**
 * Receives notifications when the leader changes. The elector's thread calls the methods, in order.
 * They must return at once, because the lease is not renewed meanwhile. Exceptions are logged.
 */
public interface LeaderListener {

  /** Called when the server has accepted that this replica leads. */
  default void startedLeading() {}

  /**
   * Called when this replica no longer leads; the fence is already closed. Follows each {@link
   * #startedLeading} exactly once, even if the elector is stopped.
   */
  default void stoppedLeading(LeadershipLostException why) {}

  /**
   * Called when the lease has a new holder, which may be this replica.
   *
   * @param identity the holder's identity in the Lease
   */
  default void newLeader(String identity) {}
}
