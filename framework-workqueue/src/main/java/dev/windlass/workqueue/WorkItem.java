// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * A key that a worker has taken from the queue. Other workers do not receive the key until this
 * item is closed.
 *
 * <p>Close the item with a {@code try}-with-resources statement, so that it is closed even if the
 * worker throws an exception. To process the key again later, add it to the queue before you close
 * the item.
 *
 * @param <T> the type of the keys
 */
public interface WorkItem<T> extends AutoCloseable {

  /** Returns the key to process. */
  T key();

  /**
   * Returns the priority that the key had when the worker took it. To retry the key with the same
   * priority, pass the priority to {@link WorkQueue#addRateLimited(Object, Priority)}.
   */
  Priority priority();

  /** Returns how long the key was ready before the worker took it. */
  Duration waited();

  /**
   * Releases the key. If the key was added while it was being processed, it becomes ready
   * immediately. Closing the item again has no effect, even if another worker has taken the key in
   * the meantime. Any thread can call this method.
   */
  @Override
  void close();
}
