// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * A listener for the events of a queue, for example to export metrics.
 *
 * <p>The thread that causes an event calls the listener, without holding the queue's lock. Events
 * from different threads can therefore arrive in any order. Implementations must be fast and
 * thread-safe. The queue logs exceptions that the listener throws, and continues.
 *
 * <p>A listener does not receive the values of gauges. Get the value of {@code workqueue_depth}
 * from {@link WorkQueue#lengths()}, and the values of two other gauges from {@link
 * WorkQueue#inWork()}: {@code workqueue_unfinished_work_seconds} is the sum of all processing
 * times, and {@code workqueue_longest_running_processor_seconds} is the processing time of the
 * first key.
 */
public interface WorkQueueListener {

  /** A listener that ignores all events. */
  WorkQueueListener NONE = new WorkQueueListener() {};

  /**
   * Called when a key becomes ready. The corresponding metric is {@code workqueue_adds_total}.
   *
   * @param priority the priority of the key
   */
  default void added(Priority priority) {}

  /**
   * Called when a worker takes a key. The corresponding metric is {@code
   * workqueue_queue_duration_seconds}.
   *
   * @param priority the priority of the key
   * @param waited the time for which the key was ready before the worker took it
   */
  default void taken(Priority priority, Duration waited) {}

  /**
   * Called when a worker releases a key. The corresponding metric is {@code
   * workqueue_work_duration_seconds}.
   *
   * @param worked the time for which the worker processed the key
   */
  default void finished(Duration worked) {}

  /**
   * Called when a key is added with a delay or a rate limit. The corresponding metric is {@code
   * workqueue_retries_total}.
   */
  default void retried() {}
}
