// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import java.time.Duration;

/**
 * A component that a {@link Manager} starts and stops. The manager calls only one of {@link
 * #warmUp}, {@link #start}, {@link #standDown} and {@link #stop} at a time, and does not hold a
 * lock during the call. It can call {@link #cancel} at any time. With {@link
 * OnLeadershipLost#STAND_BY}, the manager calls {@link #standDown} for the leader's components when
 * it loses the lease, warms them up again, and starts them again when this replica becomes the
 * leader again. A component that cannot be started again throws an exception, which fails the
 * manager.
 */
public interface ManagedComponent {

  /** Returns the phase in which the component starts. The default is {@link Phase#LEADER}. */
  default Phase phase() {
    return Phase.LEADER;
  }

  /**
   * Prepares the component before this replica becomes the leader, for example by filling caches.
   * The component must not act as the leader yet. If leader election is enabled, the manager calls
   * this method in {@link Phase#WARM_UP} on the components that start in {@link Phase#LEADER}. The
   * default implementation does nothing.
   *
   * @throws Exception if the preparation fails; the manager then stops all components and reports
   *     the exception
   */
  default void warmUp() throws Exception {}

  /**
   * Starts the component. This method must return without waiting for other systems. If the manager
   * is stopped during this call, the manager waits for the call to return, and interrupts the
   * calling thread when half of the shutdown time has elapsed.
   *
   * @throws Exception if the component cannot start; the manager then stops all components and
   *     reports the exception
   */
  void start() throws Exception;

  /**
   * Requests that the component stop. This method must return immediately; a call to {@link #stop}
   * follows. Before the manager stops the first component, it calls this method on all components
   * that start after the caches, so that they stop in parallel. The default implementation does
   * nothing.
   *
   * @param limit the time within which the component must have stopped
   */
  default void cancel(Duration limit) {}

  /**
   * Stops acting as the leader after this replica has lost the lease, while it remains a candidate.
   * Calls of {@link #warmUp} and, if the replica leads again, of {@link #start} follow, or a call
   * of {@link #stop}. By default, this method calls {@link #stop}.
   *
   * @param limit as for {@link #stop}
   * @return whether the component stopped acting within the limit
   */
  default boolean standDown(Duration limit) throws InterruptedException {
    return stop(limit);
  }

  /**
   * Stops the component.
   *
   * @param limit the time limit; the manager interrupts the calling thread 1 s after the limit
   * @return whether the component stopped within the limit
   * @throws InterruptedException if the calling thread is interrupted while it waits
   */
  boolean stop(Duration limit) throws InterruptedException;
}
