// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import java.util.Optional;

/**
 * A handle for a source that {@link Controller#watch} has added to a controller. Implementations
 * are thread-safe.
 */
public interface WatchHandle extends AutoCloseable {

  /**
   * Returns whether the source has requested reconciles for all objects that existed when it
   * started. Returns false while the controller is not running.
   */
  boolean hasSynced();

  /**
   * Returns the reason why the source has not synced or is not up to date, or empty if there is no
   * problem.
   */
  Optional<String> problem();

  /**
   * Removes the source from the controller, stops it and releases its resources. The controller
   * then accepts no further requests from the source, but still processes the requests that are
   * already in the queue. This method is idempotent.
   */
  @Override
  void close();
}
