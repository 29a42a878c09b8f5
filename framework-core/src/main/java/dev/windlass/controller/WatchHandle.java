// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import java.util.Optional;

/**
 * A source that was added to a controller at runtime, see {@link Controller#watch}. All methods may
 * be called from any thread.
 */
public interface WatchHandle extends AutoCloseable {

  /**
   * Whether everything that there was when the source started has led to its requests; false while
   * the controller does not run.
   */
  boolean hasSynced();

  /** Why it has not synced or is not up to date, in a sentence; empty if all is well. */
  Optional<String> trouble();

  /**
   * Takes the source out of the controller: it is stopped, what it held is released, and nothing
   * more comes of it. Requests that wait in the queue are still worked on. Repeatable.
   */
  @Override
  void close();
}
