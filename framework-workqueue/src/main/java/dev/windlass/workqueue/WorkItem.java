// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * A key that the queue has handed to a worker, and that no other worker gets until this is closed.
 *
 * <p>Close it in a {@code try} statement, so that no way out of the work can forget it. To have the
 * key again later, add it to the queue before closing.
 *
 * @param <T> the type of the keys
 */
public interface WorkItem<T> extends AutoCloseable {

  /** The key to work on. */
  T key();

  /** The priority under which it waited; a retry keeps it. */
  Priority priority();

  /** How long it was ready before it was handed out. */
  Duration waited();

  /**
   * Gives the key back. If it was added while in work, it becomes ready again now. A second call
   * does nothing, whoever has the key by then. Any thread may call it.
   */
  @Override
  void close();
}
