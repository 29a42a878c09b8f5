// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the failures of each key since the key's count was last reset. Only keys with at least one
 * failure occupy memory. This class is thread-safe.
 */
final class FailureCounts<T> {

  private final ConcurrentHashMap<T, Integer> counts = new ConcurrentHashMap<>();

  /**
   * Increments a key's failure count and returns the new count. The count never exceeds {@link
   * Integer#MAX_VALUE}.
   */
  int increment(T key) {
    return counts.merge(key, 1, (old, one) -> old == Integer.MAX_VALUE ? old : old + one);
  }

  /** Resets a key's failure count. Returns whether the count was more than zero. */
  boolean forget(T key) {
    return counts.remove(key) != null;
  }

  void forgetAll() {
    counts.clear();
  }

  int get(T key) {
    return counts.getOrDefault(key, 0);
  }
}
