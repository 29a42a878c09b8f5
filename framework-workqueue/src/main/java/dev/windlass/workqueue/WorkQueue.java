// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;
import java.util.Optional;

/**
 * A queue of keys that need work. It promises four things:
 *
 * <ul>
 *   <li><b>Fair</b>: keys of one priority are handed out in the order in which they became ready; a
 *       less urgent key waits at most its {@link Priority#handicap()} longer.
 *   <li><b>Stingy</b>: a key that is added many times before it is handed out is handed out once.
 *   <li><b>Exclusive</b>: a key is in the hands of one worker at a time. Added while in work, it is
 *       handed out once more after it was given back.
 *   <li><b>Lossless</b>: between {@code add} and the hand-out that answers it, nothing drops a key
 *       but {@link #shutDown()}.
 * </ul>
 *
 * <p>A key waits for the earliest of the times asked for: an immediate add supersedes a pending
 * delay, and of two delays the sooner one counts.
 *
 * <p>All methods may be called from any thread; only {@link #take()} blocks. Keys must have value
 * semantics ({@code equals}, {@code hashCode}) and must not be null.
 *
 * @param <T> the type of the keys
 */
public interface WorkQueue<T> {

  /** Marks the key as in need of work now, with {@link Priority#NORMAL}. */
  default void add(T key) {
    add(key, Priority.NORMAL);
  }

  /**
   * Marks the key as in need of work now. If it waits already, it keeps its place, or takes the
   * better one that the priority gives it. Ignored after shut-down.
   */
  void add(T key, Priority priority);

  /** Marks the key as in need of work after a delay, with {@link Priority#NORMAL}. */
  default void addAfter(T key, Duration delay) {
    addAfter(key, delay, Priority.NORMAL);
  }

  /**
   * Marks the key as in need of work after a delay; zero or less means now. Does nothing if the key
   * is ready or due sooner anyway, and after shut-down.
   */
  void addAfter(T key, Duration delay, Priority priority);

  /** Counts a failure of the key and marks it as in need of work when its back-off ends. */
  default void addRateLimited(T key) {
    addRateLimited(key, Priority.NORMAL);
  }

  /** As {@link #addRateLimited(Object)}, under a priority. */
  void addRateLimited(T key, Priority priority);

  /** Forgets the failures of the key: its back-off starts anew. The queue itself stays as it is. */
  void forget(T key);

  /** How many failures of the key are counted since it was last forgotten. */
  int retries(T key);

  /** How many keys are ready to be handed out. */
  int length();

  /** How many keys wait for a delay to end. */
  int delayed();

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
   * Ends the queue: later adds are ignored, pending delays are dropped, keys that are ready are
   * still handed out, and then {@link #take()} returns empty to every worker. Repeatable.
   */
  void shutDown();

  /** Whether {@link #shutDown()} was called. */
  boolean isShutDown();

  /** A queue with the given settings. */
  static <T> WorkQueue<T> create(WorkQueueOptions<T> options) {
    return new DefaultWorkQueue<>(options);
  }
}
