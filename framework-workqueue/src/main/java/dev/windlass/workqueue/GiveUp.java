// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

/**
 * Called when a key has failed too often and is not tried again by itself: the place to write an
 * event, set a condition, or count.
 *
 * <p>Called by the thread that reported the failure, without any lock of the queue; the key may be
 * added to the queue here, and is then tried anew with its failures forgotten. What it throws is
 * logged and harms nobody.
 *
 * @param <T> the type of the keys
 */
@FunctionalInterface
public interface GiveUp<T> {

  /**
   * The key is given up.
   *
   * @param failures how often it has failed in a row, the last time included
   */
  void gaveUp(T key, int failures);
}
