// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

/**
 * Called when a key has failed too often and is no longer retried automatically. Use it to record
 * an Event, set a condition, or count such keys.
 *
 * <p>Called by the thread that reported the failure, without any lock of the queue. The hook may
 * add the key to the queue; it is then retried as if it had never failed. Exceptions that it throws
 * are logged and have no other effect.
 *
 * @param <T> the type of the keys
 */
@FunctionalInterface
public interface GiveUp<T> {

  /**
   * Called when the queue gives up the key.
   *
   * @param failures the number of consecutive failures, including the last one
   */
  void gaveUp(T key, int failures);
}
