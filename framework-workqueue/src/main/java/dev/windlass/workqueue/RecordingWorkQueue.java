// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A work queue that keeps a record for each key, so that everything that is known about a key is in
 * one place, under one lock, and is dropped together with the key.
 *
 * <p>The queue holds its lock while it calls the functions that are passed to the methods of this
 * interface. These functions must be short, and must call neither user code nor this queue.
 *
 * @param <T> the type of the keys
 * @param <R> the type of the records
 */
public interface RecordingWorkQueue<T, R extends KeyRecord> extends WorkQueue<T> {

  /**
   * Updates the key's record, and then adds the key, as {@link #add(Object, Priority)} does, unless
   * the update returns false. A worker that takes the key finds the updated record.
   *
   * @param update changes the record, and returns whether to add the key
   * @return false if the update returned false, or if the queue has been shut down
   */
  boolean add(T key, Priority priority, Predicate<? super R> update);

  /** Calls a function with the key's record, and returns its result. */
  <V> V record(T key, Function<? super R, V> function);

  /** Changes the key's record. */
  default void update(T key, Consumer<? super R> change) {
    record(
        key,
        record -> {
          change.accept(record);
          return record;
        });
  }

  /** Calls a function with each record and its key, in no particular order. */
  void forEach(BiConsumer<? super T, ? super R> function);

  /**
   * Opens or closes the queue for workers. While it is closed, {@link #take()} and {@link #poll()}
   * return empty at once, whatever the queue contains. Keys can be added nevertheless. A new queue
   * is open.
   */
  void setOpen(boolean open);

  /**
   * Drops keys, with their delays, failures and records. A key that is being processed remains
   * until its item is closed, as if it had just been taken for the first time. The rate limiter is
   * not told.
   *
   * @param which selects the keys to drop
   * @param remains returns what remains of a record, usually a record without content
   */
  void drop(Predicate<? super T> which, UnaryOperator<R> remains);

  /**
   * Creates a queue with the given settings.
   *
   * @param records creates a record without content
   */
  static <T, R extends KeyRecord> RecordingWorkQueue<T, R> create(
      WorkQueueOptions<T> options, Supplier<R> records) {
    return new DefaultWorkQueue<>(options, records);
  }
}
