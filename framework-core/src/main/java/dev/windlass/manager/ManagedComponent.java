// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import java.time.Duration;

/**
 * A component that a {@link Manager} starts and stops. The manager calls only one of {@link
 * #warmUp}, {@link #start} and {@link #stop} at a time, without holding a lock; it may call {@link
 * #cancel} at any time. If the manager stands by after it has lost its lease, it repeats these
 * calls in its next term.
 */
public interface ManagedComponent {

  /** Returns the phase in which the component starts; by default {@link Phase#LEADER}. */
  default Phase phase() {
    return Phase.LEADER;
  }

  /**
   * Prepares to lead, without acting. Called in {@link Phase#WARM_UP} on components that start in
   * {@link Phase#LEADER}, if a leader is elected. By default it does nothing.
   *
   * @throws Exception if the component can't prepare; the manager then stops everything and reports
   *     the exception
   */
  default void warmUp() throws Exception {}

  /**
   * Starts to work, and returns without waiting for other systems. A stop waits until this method
   * has returned, and interrupts it when half of the stop's time is over.
   *
   * @throws Exception if the component can't start at all; the manager then stops everything and
   *     reports the exception
   */
  void start() throws Exception;

  /**
   * Asks the component to end, and returns at once; {@link #stop} follows. The manager calls it on
   * all components that start after the caches before it stops the first of them, so that they end
   * in parallel. By default it does nothing.
   *
   * @param limit the time within which the component must have stopped
   */
  default void cancel(Duration limit) {}

  /**
   * Stops the work.
   *
   * @param limit how long the stop may take; it is interrupted one second later
   * @return whether it ended in time
   * @throws InterruptedException if the calling thread is interrupted while it waits
   */
  boolean stop(Duration limit) throws InterruptedException;
}
