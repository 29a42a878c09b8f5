// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import org.jspecify.annotations.Nullable;

/**
 * Everything that the queue stores about one key: whether it is being processed, and whether and
 * how it waits. There is one object per key. Every structure of the queue links to it directly, so
 * that a key moves between them without a search and without garbage.
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
    /** Waiting to be returned: it was added while being processed. */
    AGAIN
  }

  final T key;

  Waiting waiting = Waiting.NO;

  /** The priority under which it waits; meaningless while it does not. */
  Priority priority = Priority.NORMAL;

  /** The hand-out whose worker has it; null if it is not being processed. */
  @Nullable HandedOut<T> item;

  /** When it became ready or, while it is delayed, when it will. */
  long readyAt;

  /**
   * In {@link ReadyLanes}, the time when it is overdue; in {@link DelayHeap}, the tie-breaker for
   * equal deadlines.
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
