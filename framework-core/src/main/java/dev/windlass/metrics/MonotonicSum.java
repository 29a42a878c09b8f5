// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import java.util.HashMap;
import java.util.Map;

/**
 * The sum of the counts of several owners. Owners can appear and disappear. The sum adds up the
 * increases of each count, so it never decreases, even if an owner disappears. Only one thread at a
 * time may use an instance.
 */
final class MonotonicSum {

  private Map<Object, Long> seen = new HashMap<>();
  private long total;

  /**
   * Adds to the sum the increase of each count since the last call, and returns the sum. Forgets
   * the owners that are not in the map.
   *
   * @param now the current count of each owner
   */
  long to(Map<Object, Long> now) {
    now.forEach((owner, count) -> total += Math.max(0, count - seen.getOrDefault(owner, 0L)));
    seen = Map.copyOf(now);
    return total;
  }
}
