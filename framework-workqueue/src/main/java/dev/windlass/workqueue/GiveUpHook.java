// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

/**
 * A hook that the queue calls when a key has exceeded its retry limit and will not be retried. Use
 * the hook to record an Event, set a condition, or count such keys.
 *
 * <p>The thread that reported the failure calls the hook, without holding a lock of the queue. The
 * hook can add the key to the queue again. The queue then treats the key as if it had never failed.
 * If the hook throws an exception, the queue logs the exception and continues.
 *
 * @param <T> the type of the keys
 */
@FunctionalInterface
public interface GiveUpHook<T> {

  /**
   * Called when the queue stops retrying a key.
   *
   * @param failures the number of consecutive failures, including the current failure
   */
  void gaveUp(T key, int failures);
}
