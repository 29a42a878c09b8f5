// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A queue of keys that need work. It makes four guarantees:
 *
 * <ul>
 *   <li><b>Fair</b>: keys of one priority are handed out in the order in which they became ready; a
 *       less urgent key waits at most its {@link Priority#handicap()} longer.
 *   <li><b>Deduplicating</b>: a key that is added many times before it is handed out is handed out
 *       once.
 *   <li><b>Exclusive</b>: only one worker at a time processes a key. A key that is added while it
 *       is being processed is handed out once more after it is returned.
 *   <li><b>Lossless</b>: between {@code add} and the hand-out that serves it, only a shut-down
 *       drops a key.
 * </ul>
 *
 * <p>A key waits for the earliest of the requested times: an immediate add supersedes a pending
 * delay, and the shorter of two delays applies. It waits under the most urgent of the requested
 * priorities. A key becomes ready when it is added, when its delay ends (its due time counts, even
 * if the alarm is late), or when it is returned after it was added while being processed.
 *
 * <p>Any number of keys may wait. The queue holds nothing for a key that is neither waiting nor
 * being processed; the rate limiter holds its failures until they are forgotten. Adding a key that
 * is already waiting allocates nothing. Adding, handing out and returning a key take constant time,
 * or logarithmic time in the number of delayed keys if a delay begins or ends.
 *
 * <p>All methods may be called from any thread; only {@link #take()} and {@link
 * #shutDownWithDrain(Duration)} block. The queue never calls the listener, the rate limiter or the
 * give-up hook under a lock, and logs the exceptions that they throw. Keys must have value
 * semantics ({@code equals}, {@code hashCode}) and must not be null ({@link NullPointerException}).
 *
 * @param <T> the type of the keys
 */
public interface WorkQueue<T> {

  /** Marks the key as needing work now, with {@link Priority#NORMAL}. */
  default void add(T key) {
    add(key, Priority.NORMAL);
  }

  /**
   * Marks the key as needing work now. A key that is already ready keeps its place, unless the
   * given priority is more urgent; it then moves to the last place of that priority. Ignored after
   * shut-down.
   */
  void add(T key, Priority priority);

  /** Marks the key as needing work after a delay, with {@link Priority#NORMAL}. */
  default void addAfter(T key, Duration delay) {
    addAfter(key, delay, Priority.NORMAL);
  }

  /**
   * Marks the key as needing work after a delay. Zero or less means now; more than a hundred years
   * means a hundred years. Has no effect on a key that is ready or that was added while being
   * processed, nor after shut-down. A key that is due sooner keeps its earlier time.
   */
  void addAfter(T key, Duration delay, Priority priority);

  /** Calls {@link #addRateLimited(Object, Priority)} with {@link Priority#NORMAL}. */
  default boolean addRateLimited(T key) {
    return addRateLimited(key, Priority.NORMAL);
  }

  /**
   * Counts a failure of the key and marks it as needing work when its back-off ends. If the key has
   * exceeded its retry limit ({@link WorkQueueOptions#withMaxRetries}), forgets its failures and
   * gives it up instead. If the rate limiter fails, the key waits one second.
   *
   * @return whether the key will be retried; false if it was given up now or the queue is shut down
   */
  boolean addRateLimited(T key, Priority priority);

  /**
   * Forgets the failures of the key, so that its back-off starts again. Does not change the queue.
   */
  void forget(T key);

  /** Returns the number of failures of the key since it was last forgotten. */
  int retries(T key);

  /** Hands out the next key if one is ready. Never blocks. */
  Optional<WorkItem<T>> poll();

  /**
   * Waits for the next key.
   *
   * @return the key, or empty once the queue is shut down and all ready keys have been handed out
   * @throws InterruptedException if the caller was interrupted while waiting
   */
  Optional<WorkItem<T>> take() throws InterruptedException;

  /**
   * Ends the queue: ignores later adds and drops pending delays. Keys that are ready, or become
   * ready because they were added earlier while being processed, are still handed out; then {@link
   * #take()} returns empty to every worker. Ends any drain in progress. May be called repeatedly.
   */
  void shutDown();

  /**
   * Ends the queue as {@link #shutDown()} does, and waits until the workers have emptied it: until
   * no key is ready or being processed. Drops pending delays, because they may end hours later. May
   * be called repeatedly, even after {@link #shutDown()}, and by several threads.
   *
   * @param limit the maximum time to wait; zero or less only checks
   * @return whether the queue was emptied; false if the limit passed first, or {@link #shutDown()}
   *     was called meanwhile
   * @throws InterruptedException if the caller was interrupted; the queue stays shut down
   */
  boolean shutDownWithDrain(Duration limit) throws InterruptedException;

  /** Returns whether the queue was shut down, by either method. */
  boolean isShutDown();

  /** Returns the number of keys that are ready to be handed out. */
  int length();

  /**
   * Returns the number of ready keys for each priority, most urgent first. A priority that was used
   * before is listed with zero until the queue reuses its place.
   */
  Map<Priority, Integer> lengths();

  /**
   * Returns how long the key that has been ready longest has waited; zero if no key is ready. A key
   * whose priority was raised is counted only once it is first among the keys of that priority.
   */
  Duration longestWait();

  /** Returns the number of keys that wait for a delay to end. */
  int delayed();

  /**
   * Returns the keys that wait for a delay to end, soonest first.
   *
   * @param limit the maximum number of keys to return, zero or more; the duration of the call is
   *     proportional to it
   */
  List<DelayedKey<T>> delayedKeys(int limit);

  /** Returns the time until the delay of a key ends; empty if the key does not wait for a delay. */
  Optional<Duration> dueIn(T key);

  /** Returns the keys that are being processed, longest first. */
  List<Working<T>> inWork();

  /** Creates a queue with the given settings. */
  static <T> WorkQueue<T> create(WorkQueueOptions<T> options) {
    return new DefaultWorkQueue<>(options);
  }
}
