// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * Receives the events of a queue; metrics are based on it.
 *
 * <p>Called outside the queue's lock, on the thread that caused the event, so events of different
 * threads may arrive in either order. Implementations must be quick and thread safe. Exceptions
 * that they throw are logged and do not reach the queue's caller.
 *
 * <p>Gauges are not pushed: read them from {@link WorkQueue#lengths()} ({@code workqueue_depth})
 * and {@link WorkQueue#inWork()} ({@code workqueue_unfinished_work_seconds} is the sum, {@code
 * workqueue_longest_running_processor_seconds} the first).
 */
public interface WorkQueueListener {

  /** Ignores all events. */
  WorkQueueListener NONE = new WorkQueueListener() {};

  /**
   * Called when a key becomes ready that was not ready before; {@code workqueue_adds_total}.
   *
   * @param priority the priority under which it waits
   */
  default void added(Priority priority) {}

  /**
   * Called when a key is handed out; {@code workqueue_queue_duration_seconds}.
   *
   * @param priority the priority under which it last waited
   * @param waited how long it was ready
   */
  default void taken(Priority priority, Duration waited) {}

  /**
   * Called when a key is returned; {@code workqueue_work_duration_seconds}.
   *
   * @param worked how long it was processed
   */
  default void finished(Duration worked) {}

  /** Called when a key is added with a delay or a rate limit; {@code workqueue_retries_total}. */
  default void retried() {}
}
