// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import org.jspecify.annotations.Nullable;

/**
 * The state of a key in the queue: what the key is waiting for, if anything, and whether it is
 * being processed. There is one entry for each key. All data structures of the queue refer to this
 * entry, so that a key can be moved between them without a search or an allocation.
 *
 * <p>Instances are guarded by the queue's lock.
 */
final class QueueEntry<T> {

  enum Waiting {
    /** The key is being processed, or only its failures or its record are kept. */
    NO,
    /** The key is waiting for its deadline. A worker can be processing it at the same time. */
    DELAYED,
    /** The key is waiting for a worker. It is not being processed. */
    READY,
    /**
     * The key is being processed and has been added again. It becomes ready when the worker
     * releases it.
     */
    AGAIN
  }

  final T key;

  Waiting waiting = Waiting.NO;

  /**
   * The priority with which the key is waiting. The value is meaningful only while the key is
   * waiting.
   */
  Priority priority = Priority.NORMAL;

  /** The open work item of the key, or null if the key is not being processed. */
  @Nullable InFlightItem<T> item;

  /**
   * The time at which the key became ready or, if the key is delayed, the time at which it will
   * become ready.
   */
  long readyAt;

  /** In the {@link DelayHeap}, a sequence number that orders entries with the same deadline. */
  long rank;

  int position;

  int failures;

  /** What the owner of the queue knows about the key. */
  KeyRecord record = KeyRecord.NONE;

  /** What identifies the group to which the key belongs. */
  Object groupName = "";

  /** The group of this entry in the {@link ReadyQueue}, or null if the key is not ready. */
  ReadyQueue.@Nullable Group<T> group;

  // The neighbours in the only QueueEntryList that contains this entry: that of its group, or the
  // keys being processed.

  @Nullable QueueEntry<T> previous;

  @Nullable QueueEntry<T> next;

  QueueEntry(T key) {
    this.key = key;
  }

  void countFailure() {
    failures = failures == Integer.MAX_VALUE ? failures : failures + 1;
  }

  /** Returns whether the key is neither waiting nor being processed. */
  boolean isUnused() {
    return waiting == Waiting.NO && item == null;
  }
}
