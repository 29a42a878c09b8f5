// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * Hears what happens in a queue; metrics are made of it.
 *
 * <p>Called outside the queue's lock, by whichever thread caused the event, so two events of
 * different threads may arrive in either order. Implementations must be quick and thread safe; what
 * they throw is logged and does not reach the queue's caller.
 */
public interface WorkQueueListener {

  /** Hears nothing. */
  WorkQueueListener NONE = new WorkQueueListener() {};

  /** A key became ready that was not ready before. */
  default void added() {}

  /**
   * A key was handed out.
   *
   * @param waited how long it was ready
   */
  default void taken(Duration waited) {}

  /**
   * A key was given back.
   *
   * @param worked how long it was in work
   */
  default void finished(Duration worked) {}

  /** A key was added with a delay or a rate limit. */
  default void retried() {}
}
