// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * A listener that receives a queue's events, for example to export metrics.
 *
 * <p>The thread that caused an event calls the listener, outside the queue's lock, so events from
 * different threads can arrive in any order. Implementations must be quick and thread-safe. The
 * queue logs exceptions from the listener and does not pass them to its caller.
 *
 * <p>Gauges are not pushed. Read {@code workqueue_depth} from {@link WorkQueue#lengths()}. {@link
 * WorkQueue#inWork()} contains the values of two other gauges: {@code
 * workqueue_unfinished_work_seconds} is the sum of the processing times, and {@code
 * workqueue_longest_running_processor_seconds} is the longest, which comes first.
 */
public interface WorkQueueListener {

  /** A listener that ignores all events. */
  WorkQueueListener NONE = new WorkQueueListener() {};

  /**
   * Called when a key that was not ready becomes ready. The corresponding metric is {@code
   * workqueue_adds_total}.
   *
   * @param priority the priority with which the key waits
   */
  default void added(Priority priority) {}

  /**
   * Called when a worker takes a key. The corresponding metric is {@code
   * workqueue_queue_duration_seconds}.
   *
   * @param priority the priority with which the key last waited
   * @param waited how long the key was ready
   */
  default void taken(Priority priority, Duration waited) {}

  /**
   * Called when a worker releases a key. The corresponding metric is {@code
   * workqueue_work_duration_seconds}.
   *
   * @param worked how long the key was processed
   */
  default void finished(Duration worked) {}

  /**
   * Called when a key is added with a delay or a rate limit. The corresponding metric is {@code
   * workqueue_retries_total}.
   */
  default void retried() {}
}
