// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * The item through which a worker holds a key. The key's entry refers to this item while the item
 * is open.
 */
final class InFlightItem<T> implements WorkItem<T> {

  final QueueEntry<T> entry;
  final long since;
  final String worker;

  private final DefaultWorkQueue<T> queue;
  private final Priority priority;
  private final long waited;

  /**
   * Creates the item that assigns an entry to the current thread. The caller has removed the entry
   * from {@link ReadyQueue}.
   */
  InFlightItem(DefaultWorkQueue<T> queue, QueueEntry<T> entry, long now) {
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
