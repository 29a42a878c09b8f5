// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import java.util.Optional;

/** A source that was added to a controller at runtime by {@link Controller#watch}. Thread safe. */
public interface WatchHandle extends AutoCloseable {

  /**
   * Returns whether the source has requested reconciles for everything that existed when it
   * started; false while the controller does not run.
   */
  boolean hasSynced();

  /**
   * Returns one sentence that explains why the source has not synced or is not up to date; empty if
   * there is no problem.
   */
  Optional<String> problem();

  /**
   * Removes the source from the controller: stops it, releases what it holds, and accepts no more
   * requests from it. Requests already in the queue are still processed. Idempotent.
   */
  @Override
  void close();
}
