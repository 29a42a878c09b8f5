// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import java.time.Duration;

/**
 * Something that a {@link Manager} starts and stops. Of {@link #warmUp}, {@link #start} and {@link
 * #stop} one is called at a time, without a lock; {@link #cancel} may come at any time. If the
 * manager stands by after a lost lease, all of it happens again.
 */
public interface ManagedComponent {

  /** When it starts; {@link Phase#LEADER} unless it says otherwise. */
  default Phase phase() {
    return Phase.LEADER;
  }

  /**
   * Gets ready to lead, without acting: called in {@link Phase#WARM_UP} on what starts in {@link
   * Phase#LEADER}, if a leader is elected. By default it does nothing.
   *
   * @throws Exception if it can't; the manager then stops everything and reports this
   */
  default void warmUp() throws Exception {}

  /**
   * Begins to work, and returns without waiting for the world. A stop waits until it has returned,
   * and interrupts it when half of its time is over.
   *
   * @throws Exception if it can't begin at all; the manager then stops everything and reports this
   */
  void start() throws Exception;

  /**
   * Tells it to come to an end, and returns at once; {@link #stop} follows. Called on all
   * components that start after the caches before the first of them is stopped, so that none loses
   * time by the end of another. By default it does nothing.
   *
   * @param limit how long it has until its stop must be over
   */
  default void cancel(Duration limit) {}

  /**
   * Ends the work.
   *
   * @param limit how long it may take; after a second more it is interrupted
   * @return whether it ended in time
   * @throws InterruptedException if the caller was interrupted while it waited
   */
  boolean stop(Duration limit) throws InterruptedException;
}
