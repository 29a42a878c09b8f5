// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import java.util.HashMap;
import java.util.Map;

/**
 * The sum of counts whose owners can appear and disappear. The sum adds the increase of each count
 * since its previous value. Unlike the sum of the current counts, it never decreases. Only one
 * thread at a time may use an instance.
 */
final class MonotonicSum {

  private Map<Object, Long> seen = new HashMap<>();
  private long total;

  /**
   * Adds the increases of all counts to the sum, and returns the sum. Forgets the owners that are
   * missing from the map.
   *
   * @param now the current count of each owner
   */
  long to(Map<Object, Long> now) {
    now.forEach((owner, count) -> total += Math.max(0, count - seen.getOrDefault(owner, 0L)));
    seen = Map.copyOf(now);
    return total;
  }
}
