// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A queue of keys to process. It makes four guarantees:
 *
 * <ul>
 *   <li><b>Fair</b>: workers receive keys of one priority in the order in which the keys became
 *       ready. More urgent keys can overtake a key without restriction only until it has waited for
 *       its {@link Priority#handicap()}.
 *   <li><b>Deduplicating</b>: a key that is added many times before a worker takes it is processed
 *       once.
 *   <li><b>Exclusive</b>: only one worker at a time processes a key. A key that is added while it
 *       is being processed is processed once more after it is released.
 *   <li><b>Lossless</b>: a key that was added remains in the queue until a worker takes it. Only a
 *       shutdown drops keys.
 * </ul>
 *
 * <p>A key waits for the earliest of the requested times: an immediate add supersedes a pending
 * delay, and the shorter of two delays applies. The key waits with the most urgent of the requested
 * priorities. A key becomes ready when it is added, when its delay ends, or when it is released, if
 * it was added while being processed. A delay ends at its due time, even if the timer is late.
 *
 * <p>The number of waiting keys is not limited. The queue does not store data for a key that is
 * neither waiting nor being processed. However, the rate limiter stores a key's failure count until
 * the failures are reset. Adding a key that is already waiting does not allocate memory. Adding,
 * taking and releasing a key take constant time. Starting or ending a delay takes additional time,
 * logarithmic in the number of delayed keys.
 *
 * <p>All methods can be called from any thread. Only {@link #take()} and {@link
 * #shutDownWithDrain(Duration)} block. The queue never calls the listener, the rate limiter or the
 * give-up hook under a lock, and logs the exceptions that they throw. Keys must have value
 * semantics ({@code equals}, {@code hashCode}). A null key causes a {@link NullPointerException}.
 *
 * @param <T> the type of the keys
 */
public interface WorkQueue<T> {

  /** Adds the key with {@link Priority#NORMAL}. The key becomes ready immediately. */
  default void add(T key) {
    add(key, Priority.NORMAL);
  }

  /**
   * Adds the key with the given priority. The key becomes ready immediately. A key that is already
   * ready keeps its place, unless the given priority is more urgent. In that case, the key moves to
   * the end of the keys of that priority. This method has no effect after a shutdown.
   */
  void add(T key, Priority priority);

  /** Adds the key with {@link Priority#NORMAL}. The key becomes ready after the given delay. */
  default void addAfter(T key, Duration delay) {
    addAfter(key, delay, Priority.NORMAL);
  }

  /**
   * Adds the key with the given priority. The key becomes ready after the given delay. If the delay
   * is zero or negative, the key becomes ready immediately. A delay of more than a hundred years is
   * treated as a hundred years. This method has no effect on a key that is ready or that was added
   * while being processed, and has no effect after a shutdown. A key that is due earlier keeps its
   * earlier time.
   */
  void addAfter(T key, Duration delay, Priority priority);

  /** Calls {@link #addRateLimited(Object, Priority)} with {@link Priority#NORMAL}. */
  default boolean addRateLimited(T key) {
    return addRateLimited(key, Priority.NORMAL);
  }

  /**
   * Counts a failure of the key and adds the key, which becomes ready when its back-off ends. If
   * the key has exceeded its retry limit ({@link WorkQueueOptions#withMaxRetries}), the queue
   * instead resets the key's failures and stops retrying it. If the rate limiter fails, the key
   * waits one second.
   *
   * @return whether the key will be retried; false if the key has exceeded its retry limit, or if
   *     the queue is shut down
   */
  boolean addRateLimited(T key, Priority priority);

  /** Resets the key's failures, so that its back-off starts again. Does not change the queue. */
  void forget(T key);

  /** Returns how often the key has failed since its failures were last reset. */
  int retries(T key);

  /** Takes the next key if a key is ready. Never blocks. */
  Optional<WorkItem<T>> poll();

  /**
   * Waits for the next key and takes it.
   *
   * @return the key, or empty if the queue is shut down and does not contain ready keys
   * @throws InterruptedException if the caller was interrupted while waiting
   */
  Optional<WorkItem<T>> take() throws InterruptedException;

  /**
   * Shuts down the queue: the queue ignores later adds and drops pending delays. Keys that are
   * ready, or that become ready because they were added while being processed, can still be taken.
   * Afterwards, {@link #take()} returns an empty result to every worker. A drain in progress stops
   * waiting. This method can be called repeatedly.
   */
  void shutDown();

  /**
   * Shuts down the queue as {@link #shutDown()} does, and waits until all ready keys have been
   * taken and processed. Drops pending delays, because they may end hours later. This method can be
   * called repeatedly, even after {@link #shutDown()}, and by several threads.
   *
   * @param limit the maximum time to wait; if zero or negative, the method only checks the state
   * @return whether the queue was emptied; false if the limit passed first or {@link #shutDown()}
   *     was called while waiting
   * @throws InterruptedException if the caller was interrupted; the queue remains shut down
   */
  boolean shutDownWithDrain(Duration limit) throws InterruptedException;

  /**
   * Returns whether the queue was shut down, by {@link #shutDown()} or by {@link
   * #shutDownWithDrain}.
   */
  boolean isShutDown();

  /** Returns the number of keys that are ready. */
  int length();

  /**
   * Returns the number of ready keys for each priority, in order of decreasing urgency. A priority
   * without ready keys remains in the map with the value zero until the queue reuses its slot for
   * another priority.
   */
  Map<Priority, Integer> lengths();

  /**
   * Returns the waiting time of the key that has been ready for the longest time, or zero if there
   * are no ready keys. A key whose priority was raised is counted only when it is first among the
   * keys of that priority.
   */
  Duration longestWait();

  /** Returns the number of delayed keys. */
  int delayed();

  /**
   * Returns the delayed keys, in order of their due times.
   *
   * @param limit the maximum number of keys to return, zero or more. The duration of the call is
   *     proportional to this number
   */
  List<DelayedKey<T>> delayedKeys(int limit);

  /** Returns the time until a key's delay ends, or empty if the key is not delayed. */
  Optional<Duration> dueIn(T key);

  /**
   * Returns the keys that are being processed. The key that has been processed for the longest time
   * is first.
   */
  List<ProcessingKey<T>> inWork();

  /** Creates a queue with the given settings. */
  static <T> WorkQueue<T> create(WorkQueueOptions<T> options) {
    return new DefaultWorkQueue<>(options);
  }
}
