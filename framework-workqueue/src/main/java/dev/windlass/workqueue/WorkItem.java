// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * A key that the queue has handed to a worker. No other worker gets the key until this item is
 * closed.
 *
 * <p>Close it with a {@code try}-with-resources statement, so that every path out of the work
 * closes it. To process the key again later, add it to the queue before closing.
 *
 * @param <T> the type of the keys
 */
public interface WorkItem<T> extends AutoCloseable {

  /** Returns the key to work on. */
  T key();

  /** Returns the priority under which the key waited; a retry keeps it. */
  Priority priority();

  /** Returns how long the key was ready before it was handed out. */
  Duration waited();

  /**
   * Returns the key to the queue. If it was added while being processed, it becomes ready again
   * now. A second call has no effect, even if another worker then has the key. Any thread may call
   * it.
   */
  @Override
  void close();
}
