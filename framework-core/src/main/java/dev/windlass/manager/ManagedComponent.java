// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import java.time.Duration;

/** Something that a {@link Manager} starts and stops. Called by one thread at a time. */
public interface ManagedComponent {

  /** When it starts; {@link Phase#LEADER} unless it says otherwise. */
  default Phase phase() {
    return Phase.LEADER;
  }

  /**
   * Begins to work, and returns without waiting for the world. A stop waits until it has returned,
   * so it must not wait for a thread that calls the manager either.
   *
   * @throws Exception if it can't begin at all; the manager then stops everything and reports this
   */
  void start() throws Exception;

  /**
   * Ends the work.
   *
   * @param limit how long it may take
   * @return whether it ended in time
   * @throws InterruptedException if the caller was interrupted while it waited
   */
  boolean stop(Duration limit) throws InterruptedException;
}
