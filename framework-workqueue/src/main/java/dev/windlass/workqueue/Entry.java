// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import org.jspecify.annotations.Nullable;

/**
 * All that the queue knows of one key: whether it is in work, and whether and how it waits. One
 * object per key, which every structure of the queue links to directly, so that a key changes
 * places without being searched and without garbage.
 *
 * <p>Guarded by the queue's lock.
 */
final class Entry<T> {

  /** How a key waits for its next hand-out. */
  enum Waiting {
    /** It does not: it is only in work. */
    NO,
    /** For its time to come. May be in work as well. */
    DELAYED,
    /** For a worker. Never in work. */
    READY,
    /** To be given back: it was added while in work. */
    AGAIN
  }

  final T key;
  final int hash;

  /** The next one in its slot of the {@link EntryTable}. */
  @Nullable Entry<T> chained;

  Waiting waiting = Waiting.NO;

  /** Under which it waits; meaningless while it does not. */
  Priority priority = Priority.NORMAL;

  /** The hand-out whose worker has it; null if it is not in work. */
  @Nullable HandedOut<T> item;

  /** When it became ready or, while it is delayed, will. */
  long readyAt;

  /**
   * In {@link ReadyLanes} when it is overdue; in {@link DelayHeap} what decides between equal
   * deadlines.
   */
  long rank;

  /** In {@link DelayHeap}, where it stands there. */
  int position;

  /** In {@link ReadyLanes}, where it stands there; null while it is not ready. */
  ReadyLanes.@Nullable Lane<T> lane;

  // The neighbours in the one EntryList that holds it: a lane, or the list of what is in work.

  @Nullable Entry<T> previous;

  @Nullable Entry<T> next;

  Entry(T key, int hash) {
    this.key = key;
    this.hash = hash;
  }
}
