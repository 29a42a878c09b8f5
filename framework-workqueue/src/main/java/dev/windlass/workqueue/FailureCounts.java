// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.util.concurrent.ConcurrentHashMap;

/**
 * The number of consecutive failures of each key. The table contains only keys that are failing.
 * This class is thread-safe.
 */
final class FailureCounts<T> {

  private final ConcurrentHashMap<T, Integer> counts = new ConcurrentHashMap<>();

  /**
   * Counts another failure and returns the new count, which saturates at {@link Integer#MAX_VALUE}.
   */
  int increment(T key) {
    return counts.merge(key, 1, (old, one) -> old == Integer.MAX_VALUE ? old : old + one);
  }

  /** Resets a key's count, and returns whether the key was failing. */
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
