// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * A work item, which assigns a key to a worker until the worker closes the item. While the item is
 * open, the key's entry refers to it.
 */
final class InFlightItem<T> implements WorkItem<T> {

  final QueueEntry<T> entry;
  final long since;
  final String worker;

  private final DefaultWorkQueue<T, ?> queue;
  private final Priority priority;
  private final long waited;

  /**
   * Creates an item that assigns an entry to the current thread. The caller must have removed the
   * entry from the {@link ReadyQueue}.
   */
  InFlightItem(DefaultWorkQueue<T, ?> queue, QueueEntry<T> entry, long now) {
    this.queue = queue;
    this.entry = entry;
    this.since = now;
    this.worker = Thread.currentThread().getName();
    this.priority = entry.priority;
    this.waited = now - entry.readyAt;
  }

  @Override
  public T key() {
    return entry.key;
  }

  @Override
  public Priority priority() {
    return priority;
  }

  @Override
  public Duration waited() {
    return Duration.ofNanos(waited);
  }

  @Override
  public void close() {
    queue.giveBack(this);
  }

  @Override
  public String toString() {
    return "WorkItem " + entry.key;
  }
}
