// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

/**
 * A hook that the queue calls when a key has failed too often and is no longer retried
 * automatically. Use the hook to record an Event, set a condition, or count the keys on which the
 * queue gave up.
 *
 * <p>The thread that reported the failure calls the hook, without holding any lock of the queue.
 * The hook can add the key to the queue again. The queue then treats the key as if it had never
 * failed. Exceptions that the hook throws are logged and have no other effect.
 *
 * @param <T> the type of the keys
 */
@FunctionalInterface
public interface GiveUpHook<T> {

  /**
   * Called when the queue gives up on a key.
   *
   * @param failures the number of consecutive failures, including the last one
   */
  void gaveUp(T key, int failures);
}
