// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

/**
 * A hook that the queue calls when a key has failed so often that the queue stops retrying it. Use
 * the hook to record an Event, set a condition, or count such keys.
 *
 * <p>The thread that reported the failure calls the hook, without holding any of the queue's locks.
 * The hook can add the key to the queue again. The queue then treats the key as if it had never
 * failed. The queue logs exceptions that the hook throws and otherwise ignores them.
 *
 * @param <T> the type of the keys
 */
@FunctionalInterface
public interface GiveUpHook<T> {

  /**
   * Called when the queue stops retrying a key.
   *
   * @param failures the number of consecutive failures, including the last one
   */
  void gaveUp(T key, int failures);
}
