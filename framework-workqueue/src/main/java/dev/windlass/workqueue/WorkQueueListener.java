// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * Hears what happens in a queue; metrics are made of it.
 *
 * <p>Called outside the queue's lock, by whichever thread caused the event, so two events of
 * different threads may arrive in either order. Implementations must be quick and thread safe; what
 * they throw is logged and does not reach the queue's caller.
 *
 * <p>What is a level rather than an event, the queue tells when it is asked: {@link
 * WorkQueue#lengths()} ({@code workqueue_depth}) and {@link WorkQueue#inWork()} ({@code
 * workqueue_unfinished_work_seconds} is the sum, {@code
 * workqueue_longest_running_processor_seconds} the first).
 */
public interface WorkQueueListener {

  /** Hears nothing. */
  WorkQueueListener NONE = new WorkQueueListener() {};

  /** A key became ready that was not ready before. */
  default void added() {}

  /**
   * A key became ready that was not ready before; {@code workqueue_adds_total}. Calls {@link
   * #added()} unless overridden.
   *
   * @param priority under which it waits
   */
  default void added(Priority priority) {
    added();
  }

  /**
   * A key was handed out.
   *
   * @param waited how long it was ready
   */
  default void taken(Duration waited) {}

  /**
   * A key was handed out; {@code workqueue_queue_duration_seconds}. Calls {@link #taken(Duration)}
   * unless overridden.
   *
   * @param priority under which it waited, at the end
   * @param waited how long it was ready
   */
  default void taken(Priority priority, Duration waited) {
    taken(waited);
  }

  /**
   * A key was given back; {@code workqueue_work_duration_seconds}.
   *
   * @param worked how long it was in work
   */
  default void finished(Duration worked) {}

  /** A key was added with a delay or a rate limit; {@code workqueue_retries_total}. */
  default void retried() {}
}
