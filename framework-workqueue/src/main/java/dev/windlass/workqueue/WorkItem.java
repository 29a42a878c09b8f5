// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * A key that a worker has taken from the queue. Other workers do not receive the key until this
 * item is closed.
 *
 * <p>Close the item with a {@code try}-with-resources statement, so that it is closed on every
 * path. To process the key again later, add the key to the queue before closing the item.
 *
 * @param <T> the type of the keys
 */
public interface WorkItem<T> extends AutoCloseable {

  /** Returns the key to process. */
  T key();

  /**
   * Returns the priority with which the key waited. To keep this priority in a retry, pass it to
   * {@link WorkQueue#addRateLimited(Object, Priority)}.
   */
  Priority priority();

  /** Returns how long the key was ready before the worker took it. */
  Duration waited();

  /**
   * Releases the key. If the key was added while being processed, it becomes ready again now. A
   * second call has no effect, even if another worker has since taken the key. Any thread can call
   * this method.
   */
  @Override
  void close();
}
