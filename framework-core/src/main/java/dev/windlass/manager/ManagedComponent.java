// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import java.time.Duration;

/**
 * A component that a {@link Manager} starts and stops. The manager calls only one of {@link
 * #warmUp}, {@link #start} and {@link #stop} at a time, and holds no lock during the call. It can
 * call {@link #cancel} at any time. If the manager stands by after it has lost its lease, it
 * repeats these calls in its next term.
 */
public interface ManagedComponent {

  /** Returns the phase in which the component starts. The default is {@link Phase#LEADER}. */
  default Phase phase() {
    return Phase.LEADER;
  }

  /**
   * Prepares to lead, without acting. The manager calls this method in {@link Phase#WARM_UP} on
   * components that start in {@link Phase#LEADER}, if it takes part in a leader election. The
   * default implementation does nothing.
   *
   * @throws Exception if the component can't prepare; the manager then stops all components and
   *     reports the exception
   */
  default void warmUp() throws Exception {}

  /**
   * Starts to work, and returns without waiting for other systems. A stop waits until this method
   * has returned, and interrupts it when half of the time for the stop is over.
   *
   * @throws Exception if the component can't start; the manager then stops all components and
   *     reports the exception
   */
  void start() throws Exception;

  /**
   * Requests that the component stop, and returns immediately. A call to {@link #stop} follows.
   * Before the manager stops the first component that starts after the caches, it calls this method
   * on all these components, so that they stop in parallel. The default implementation does
   * nothing.
   *
   * @param limit the time within which the component must have stopped
   */
  default void cancel(Duration limit) {}

  /**
   * Stops the component.
   *
   * @param limit the time limit of the stop, which is interrupted one second after the limit
   * @return whether the component stopped in time
   * @throws InterruptedException if the calling thread is interrupted while it waits
   */
  boolean stop(Duration limit) throws InterruptedException;
}
