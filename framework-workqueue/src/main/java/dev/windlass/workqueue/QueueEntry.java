// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import org.jspecify.annotations.Nullable;

/**
 * The state of one key in the queue: whether the key is being processed, and whether and how it
 * waits. There is one entry for each key. Every structure of the queue refers to the entry
 * directly, so that a key moves between structures without a search or an allocation.
 *
 * <p>Instances are guarded by the queue's lock.
 */
final class QueueEntry<T> {

  /** The ways in which a key can wait for a worker. */
  enum Waiting {
    /** The key does not wait. It is only being processed. */
    NO,
    /** The key waits for its deadline. It can be processed at the same time. */
    DELAYED,
    /** The key waits for a worker. It is never processed at the same time. */
    READY,
    /** The key was added while being processed, and becomes ready when it is released. */
    AGAIN
  }

  final T key;

  Waiting waiting = Waiting.NO;

  /** The priority under which the key waits. The value is undefined while the key does not wait. */
  Priority priority = Priority.NORMAL;

  /** The open item of the key, or null if the key is not being processed. */
  @Nullable InFlightItem<T> item;

  /**
   * The time at which the key became ready. For a delayed key, the time at which it will become
   * ready.
   */
  long readyAt;

  /**
   * In {@link ReadyQueue}, the time from which the entry is overdue. In {@link DelayHeap}, the
   * value that orders entries with equal deadlines.
   */
  long rank;

  /** This entry's position in the {@link DelayHeap}. */
  int position;

  /** This entry's lane in {@link ReadyQueue}, or null while the entry is not ready. */
  ReadyQueue.@Nullable Lane<T> lane;

  // The neighbours in the only QueueEntryList that contains this entry: a lane, or the keys being
  // processed.

  @Nullable QueueEntry<T> previous;

  @Nullable QueueEntry<T> next;

  QueueEntry(T key) {
    this.key = key;
  }
}
