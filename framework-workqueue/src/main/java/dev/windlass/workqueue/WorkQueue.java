// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A queue of keys to process. It has the following properties:
 *
 * <ul>
 *   <li><b>Fair</b>: workers receive keys of the same priority in the order in which the keys
 *       became ready, or, with {@link WorkQueueOptions#withGrouping groups}, one from each group in
 *       turn. More urgent keys can overtake a key without restriction only until the key has waited
 *       for its {@link Priority#handicap()}.
 *   <li><b>Deduplicating</b>: a key that is added many times before a worker takes it is processed
 *       once.
 *   <li><b>Exclusive</b>: only one worker at a time processes a key. A key that is added while it
 *       is being processed is processed once more after it is released.
 *   <li><b>Lossless</b>: an added key remains in the queue until a worker takes it. Only a shutdown
 *       and {@link RecordingWorkQueue#drop} drop keys.
 * </ul>
 *
 * <p>If a key is added several times, it becomes ready at the earliest of the requested times, and
 * has the most urgent of the requested priorities. For example, adding a delayed key without a
 * delay makes the key ready immediately. A key that is added while it is being processed becomes
 * ready when it is released. A late timer does not change the order of the keys: a delayed key
 * counts as ready from its due time.
 *
 * <p>The number of keys in the queue is not limited. The queue stores data only for keys that are
 * ready, delayed or being processed. In addition, failure counts are stored until they are reset,
 * and the records of a {@link RecordingWorkQueue} until they are empty. Adding a key that is
 * already in the queue does not allocate memory. Adding, taking and releasing a key take constant
 * time. Starting or ending a delay takes additional time that is logarithmic in the number of
 * delayed keys.
 *
 * <p>All methods can be called from any thread. Only {@link #take()} and {@link
 * #shutDownWithDrain(Duration)} block. The queue does not hold a lock while it calls the listener,
 * the rate limiter, the grouping or the give-up hook. It logs exceptions that they throw. The key
 * class must implement {@code equals} and {@code hashCode}. A null key causes a {@link
 * NullPointerException}.
 *
 * @param <T> the type of the keys
 */
public interface WorkQueue<T> {

  /**
   * A snapshot of a key that is being processed; see {@link WorkQueue#inWork()}.
   *
   * @param <T> the type of the keys
   * @param key the key that is being processed
   * @param priority the priority that the key had when the worker took it
   * @param worked the time since the worker took the key
   * @param worker the name of the worker's thread
   */
  record ProcessingKey<T>(T key, Priority priority, Duration worked, String worker) {}

  /**
   * A snapshot of a delayed key; see {@link WorkQueue#delayedKeys}.
   *
   * @param <T> the type of the keys
   * @param key the delayed key
   * @param priority the priority that the key will have when it becomes ready
   * @param dueIn the time until the key becomes ready; zero or negative if the key is already due
   * @param failures the key's current failure count; zero if the key was delayed without a failure
   */
  record DelayedKey<T>(T key, Priority priority, Duration dueIn, int failures) {}

  /**
   * Adds the key with {@link Priority#NORMAL} and without a delay; see {@link #add(Object,
   * Priority)}.
   */
  default void add(T key) {
    add(key, Priority.NORMAL);
  }

  /**
   * Adds the key with the given priority. The key becomes ready immediately. If it is being
   * processed, it becomes ready when it is released. A key that is already ready keeps its
   * position, unless the given priority is more urgent. In that case, the key moves to the end of
   * the keys of the given priority. This method has no effect after a shutdown.
   */
  void add(T key, Priority priority);

  /** Adds the key with {@link Priority#NORMAL}. The key becomes ready after the given delay. */
  default void addAfter(T key, Duration delay) {
    addAfter(key, delay, Priority.NORMAL);
  }

  /**
   * Adds the key with the given priority. The key becomes ready after the given delay. A zero or
   * negative delay has the same effect as {@link #add(Object, Priority)}. A delay of more than a
   * hundred years is treated as a hundred years.
   *
   * <p>If the key is already delayed, the earlier due time applies. This method has no effect if
   * the key is ready, if it has been added without a delay while being processed, or if the queue
   * is shut down.
   */
  void addAfter(T key, Duration delay, Priority priority);

  /** Calls {@link #addRateLimited(Object, Priority)} with {@link Priority#NORMAL}. */
  default boolean addRateLimited(T key) {
    return addRateLimited(key, Priority.NORMAL);
  }

  /**
   * Records a failure of the key and adds the key to the queue. The key becomes ready when its
   * back-off ends. If the key has exceeded its retry limit ({@link
   * WorkQueueOptions#withMaxRetries}), the queue instead resets the key's failure count and stops
   * retrying it. If the rate limiter throws an exception, the key waits one second.
   *
   * @return whether the key will be retried; false if the key has exceeded its retry limit, or if
   *     the queue is shut down
   */
  default boolean addRateLimited(T key, Priority priority) {
    return addRateLimited(key, priority, Duration.ZERO);
  }

  /**
   * Records a failure of the key and adds the key to the queue, as {@link #addRateLimited(Object,
   * Priority)} does. The key becomes ready when both its back-off and the given delay have ended,
   * or earlier if it is also added in another way.
   *
   * @param atLeast the minimum delay, for example a delay that a server has requested
   * @return whether the key will be retried; false if the key has exceeded its retry limit, or if
   *     the queue is shut down
   */
  boolean addRateLimited(T key, Priority priority, Duration atLeast);

  /**
   * Records a failure for which the retry limit does not apply, because another attempt is expected
   * to succeed, and adds the key to the queue, as {@link #addRateLimited(Object, Priority,
   * Duration)} does.
   *
   * @return whether the key will be retried; false if the queue is shut down
   */
  boolean addUnlimited(T key, Priority priority, Duration atLeast);

  /**
   * Resets the key's failure count, so that its back-off starts again. Does not remove the key from
   * the queue.
   */
  void forget(T key);

  /** Returns the number of failures of the key since its failure count was last reset. */
  int retries(T key);

  /** Takes the next key, if a key is ready. Returns empty otherwise, without waiting. */
  Optional<WorkItem<T>> poll();

  /**
   * Takes the next key. Waits until a key is ready, if necessary.
   *
   * @return the key, or empty if the queue is shut down and contains no ready keys, or if a {@link
   *     RecordingWorkQueue} is closed
   * @throws InterruptedException if the caller is interrupted while waiting
   */
  Optional<WorkItem<T>> take() throws InterruptedException;

  /**
   * Shuts down the queue. The queue drops delayed keys and ignores keys that are added later.
   * Workers can still take keys that are ready, and keys that were added while being processed.
   * When there are no such keys, {@link #take()} returns empty to all workers. A call to {@link
   * #shutDownWithDrain} that is in progress stops waiting. Repeated calls are allowed.
   */
  void shutDown();

  /**
   * Shuts down the queue as {@link #shutDown()} does, and waits until all ready keys have been
   * taken and processed. Does not wait for delayed keys, but drops them. Several threads can call
   * this method, and repeated calls are allowed, even after {@link #shutDown()}.
   *
   * @param limit the maximum time to wait; if zero or negative, the method does not wait
   * @return whether the queue is empty and no key is being processed; false if the time limit has
   *     expired, or if {@link #shutDown()} was called during the wait
   * @throws InterruptedException if the caller is interrupted. If this happens during the wait, the
   *     queue remains shut down
   */
  boolean shutDownWithDrain(Duration limit) throws InterruptedException;

  /** Returns whether {@link #shutDown()} or {@link #shutDownWithDrain} has been called. */
  boolean isShutDown();

  /**
   * A snapshot of a queue.
   *
   * @param length the number of keys that are ready
   * @param lengths the number of ready keys for each priority, in order of decreasing urgency. It
   *     can also contain priorities without ready keys, with the value zero
   * @param longestWait the waiting time of the key that has been ready for the longest time, or
   *     zero if no key is ready. Only the first key of each priority is checked. The value can
   *     therefore be too low after the priority of a ready key has been raised
   * @param delayed the number of delayed keys
   */
  record Status(int length, Map<Priority, Integer> lengths, Duration longestWait, int delayed) {}

  /** Returns a snapshot of this queue. */
  Status status();

  /** Returns the number of keys that are ready. */
  default int length() {
    return status().length();
  }

  /** Returns the number of ready keys for each priority; see {@link Status#lengths}. */
  default Map<Priority, Integer> lengths() {
    return status().lengths();
  }

  /** Returns the longest waiting time of a ready key; see {@link Status#longestWait}. */
  default Duration longestWait() {
    return status().longestWait();
  }

  /** Returns the number of delayed keys. */
  default int delayed() {
    return status().delayed();
  }

  /**
   * Returns the delayed keys, in the order of their due times.
   *
   * @param limit the maximum number of keys to return; zero or more. The time that the call takes
   *     grows with this number
   */
  List<DelayedKey<T>> delayedKeys(int limit);

  /** Returns the time until a key's delay ends, or empty if the key is not delayed. */
  Optional<Duration> dueIn(T key);

  /** Returns the keys that are being processed, in the order in which workers took them. */
  List<ProcessingKey<T>> inWork();

  /** Creates a queue with the given settings. */
  static <T> WorkQueue<T> create(WorkQueueOptions<T> options) {
    return new DefaultWorkQueue<>(options, () -> KeyRecord.NONE);
  }
}
