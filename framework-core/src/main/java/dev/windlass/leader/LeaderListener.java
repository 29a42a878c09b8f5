// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

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

  /**
   * Returns whether to acquire the lease if it is free. While the result is false, a candidate
   * sends no requests. Call {@link LeaderElector#wake} when it becomes true. By default, a replica
   * always competes.
   */
  default boolean mayClaim() {
    return true;
  }

  /**
   * Returns since when a version of the Lease is known to be the latest.
   *
   * @param version the resource version that the elector has read
   * @param now the current time, as a value of {@code Scheduler.nanoTime}
   * @return the time at which a watch delivered this version; by default {@code now}
   */
  default long observedAt(String version, long now) {
    return now;
  }

  /**
   * Asks, after the server has accepted this replica's claim, whether somebody else must stop
   * acting first. The replica then gives the lease back instead of becoming the leader.
   *
   * @return a phrase that says who must stop, or empty by default
   */
  default CompletableFuture<Optional<String>> rival() {
    return CompletableFuture.completedFuture(Optional.empty());
  }
}
