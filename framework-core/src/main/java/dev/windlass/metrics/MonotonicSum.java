// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import java.util.HashMap;
import java.util.Map;

/**
 * The sum of counts whose owners come and go: it adds up how much each count has grown since it was
 * last seen. Unlike the sum of the current counts, it never decreases. For use by one thread at a
 * time.
 */
final class MonotonicSum {

  private Map<Object, Long> seen = new HashMap<>();
  private long total;

  /** Returns the sum, given the current count of each owner. Forgets owners that are missing. */
  long to(Map<Object, Long> now) {
    now.forEach((owner, count) -> total += Math.max(0, count - seen.getOrDefault(owner, 0L)));
    seen = Map.copyOf(now);
    return total;
  }
}
