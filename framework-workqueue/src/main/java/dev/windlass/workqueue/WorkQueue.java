// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers which keys need work. It promises four things:
 *
 * <ul>
 *   <li><b>Fair</b>: keys of one priority are handed out in the order in which they became ready; a
 *       less urgent key waits at most its {@link Priority#handicap()} longer.
 *   <li><b>Stingy</b>: a key that is added many times before it is handed out is handed out once.
 *   <li><b>Exclusive</b>: a key is in the hands of one worker at a time. Added while in work, it is
 *       handed out once more after it was given back.
 *   <li><b>Lossless</b>: between {@code add} and the hand-out that answers it, nothing drops a key
 *       but a shut-down.
 * </ul>
 *
 * <p>A key waits for the earliest of the times asked for: an immediate add supersedes a pending
 * delay, and of two delays the sooner one counts. It waits under the most urgent of the priorities
 * asked for. A key becomes ready when it is added, when its delay ends (the time when it was due
 * counts, however late the alarm), or when it is given back after it was added while in work.
 *
 * <p>Any number of keys may wait. Of a key that neither waits nor is in work the queue holds
 * nothing; its failures are held by the rate limiter until they are forgotten. Adding a key that
 * waits already allocates nothing. Adding, handing out and giving back take constant time, and
 * logarithmic time in the number of delayed keys where a delay begins or ends.
 *
 * <p>All methods may be called from any thread; only {@link #take()} and {@link
 * #shutDownWithDrain(Duration)} block. No method calls the listener, the rate limiter or the
 * give-up hook under a lock, and what these throw harms nobody. Keys must have value semantics
 * ({@code equals}, {@code hashCode}) and must not be null ({@link NullPointerException}).
 *
 * @param <T> the type of the keys
 */
public interface WorkQueue<T> {

  /** Marks the key as in need of work now, with {@link Priority#NORMAL}. */
  default void add(T key) {
    add(key, Priority.NORMAL);
  }

  /**
   * Marks the key as in need of work now. If it is ready already, it keeps its place, or takes the
   * last place of a more urgent priority if that is a better one; a less urgent priority changes
   * nothing. Ignored after shut-down.
   */
  void add(T key, Priority priority);

  /** Marks the key as in need of work after a delay, with {@link Priority#NORMAL}. */
  default void addAfter(T key, Duration delay) {
    addAfter(key, delay, Priority.NORMAL);
  }

  /**
   * Marks the key as in need of work after a delay; zero or less means now, and more than a hundred
   * years means a hundred years. Does nothing to a key that is ready, or was added while in work,
   * and after shut-down. A key that is due sooner stays so.
   */
  void addAfter(T key, Duration delay, Priority priority);

  /** As {@link #addRateLimited(Object, Priority)}, with {@link Priority#NORMAL}. */
  default boolean addRateLimited(T key) {
    return addRateLimited(key, Priority.NORMAL);
  }

  /**
   * Counts a failure of the key and marks it as in need of work when its back-off ends; if it has
   * failed more often than it may, forgets its failures and gives it up instead ({@link
   * WorkQueueOptions#withMaxRetries}). A rate limiter that fails makes the key wait one second.
   *
   * @return whether the key will be tried again: neither was it given up now, nor is the queue shut
   *     down
   */
  boolean addRateLimited(T key, Priority priority);

  /** Forgets the failures of the key: its back-off starts anew. The queue itself stays as it is. */
  void forget(T key);

  /** How many failures of the key are counted since it was last forgotten. */
  int retries(T key);

  /** Hands out the next key if one is ready. Never waits. */
  Optional<WorkItem<T>> poll();

  /**
   * Waits for the next key.
   *
   * @return the key, or empty once the queue is shut down and everything ready was handed out
   * @throws InterruptedException if the caller was interrupted while it waited
   */
  Optional<WorkItem<T>> take() throws InterruptedException;

  /**
   * Ends the queue: later adds are ignored, pending delays are dropped, keys that are ready, or
   * become so because they were added while in work before, are still handed out, and then {@link
   * #take()} returns empty to every worker. A drain that somebody waits for ends. Repeatable.
   */
  void shutDown();

  /**
   * Ends the queue as {@link #shutDown()} does, and waits until the workers have emptied it: until
   * no key is ready or in work. Pending delays are dropped, as they may be hours away. Repeatable,
   * also after {@link #shutDown()}, and by several threads.
   *
   * @param limit how long to wait at most; zero or less only looks
   * @return whether the queue was emptied; false if the limit came first, or {@link #shutDown()}
   *     was called meanwhile
   * @throws InterruptedException if the caller was interrupted; the queue stays shut down
   */
  boolean shutDownWithDrain(Duration limit) throws InterruptedException;

  /** Whether the queue was shut down, in either way. */
  boolean isShutDown();

  /** How many keys are ready to be handed out. */
  int length();

  /**
   * How many keys are ready under each priority, most urgent first. A priority that was in use
   * before is listed with zero for as long as the queue has no need of its place.
   */
  Map<Priority, Integer> lengths();

  /**
   * How long the key that is ready for longest has waited; zero if none is. A key whose priority
   * was raised counts when it stands first among its equals.
   */
  Duration longestWait();

  /** How many keys wait for a delay to end. */
  int delayed();

  /**
   * The keys that wait for a delay to end, soonest first.
   *
   * @param limit of how many to tell at most, zero or more; takes time in proportion
   */
  List<DelayedKey<T>> delayedKeys(int limit);

  /** The keys that are in work, longest first. */
  List<Working<T>> inWork();

  /** A queue with the given settings. */
  static <T> WorkQueue<T> create(WorkQueueOptions<T> options) {
    return new DefaultWorkQueue<>(options);
  }
}
