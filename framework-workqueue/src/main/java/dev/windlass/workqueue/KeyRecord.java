// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

/**
 * What the owner of a {@link RecordingWorkQueue} knows about a key beyond the queue's own data. The
 * queue's lock guards the record. The queue creates a record when it first needs one for a key, and
 * drops it when the key is neither in the queue nor failing and the record is {@linkplain
 * #isEmpty(long) empty}.
 */
public interface KeyRecord {

  /** A record without content, for queues whose owners store nothing. */
  KeyRecord NONE = now -> true;

  /**
   * Returns whether the record contains nothing that is still needed. The queue calls this method
   * when a key becomes idle, and later while it looks for records to drop, at least once a minute
   * if keys are processed.
   *
   * @param now the time, as a value of {@link dev.windlass.scheduling.Scheduler#nanoTime}
   */
  boolean isEmpty(long now);

  /**
   * Returns whether the record may be dropped although it is not empty, because the queue knows
   * many keys. The default is false.
   */
  default boolean isExpendable() {
    return false;
  }
}
