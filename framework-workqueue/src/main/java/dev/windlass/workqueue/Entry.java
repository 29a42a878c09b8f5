// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import org.jspecify.annotations.Nullable;

/**
 * The state of one key in the queue: whether it is being processed, and whether and how it waits.
 * There is one entry per key. Every structure of the queue links to it directly, so that a key
 * moves between structures without a search or an allocation.
 *
 * <p>Guarded by the queue's lock.
 */
final class Entry<T> {

  /** How a key waits for its next hand-out. */
  enum Waiting {
    /** Not waiting; only being processed. */
    NO,
    /** Waiting for its deadline. May be processed at the same time. */
    DELAYED,
    /** Waiting for a worker. Never processed at the same time. */
    READY,
    /** Waiting to be returned, because it was added while being processed. */
    AGAIN
  }

  final T key;

  Waiting waiting = Waiting.NO;

  /** The priority under which the key waits; meaningless while it does not wait. */
  Priority priority = Priority.NORMAL;

  /** The current hand-out of the key; null if it is not being processed. */
  @Nullable InFlightItem<T> item;

  /** The time at which the key became ready or, while it is delayed, will become ready. */
  long readyAt;

  /**
   * In {@link ReadyLanes}, the time from which the entry is overdue; in {@link DelayHeap}, the
   * tie-breaker for equal deadlines.
   */
  long rank;

  /** Its position in the {@link DelayHeap}. */
  int position;

  /** Its lane in {@link ReadyLanes}; null while it is not ready. */
  ReadyLanes.@Nullable Lane<T> lane;

  // The neighbours in the one EntryList that holds it: a lane, or the keys being processed.

  @Nullable Entry<T> previous;

  @Nullable Entry<T> next;

  Entry(T key) {
    this.key = key;
  }
}
