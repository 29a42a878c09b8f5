// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import java.util.HashMap;
import java.util.Map;

/**
 * The sum of counts whose owners come and go: what each has grown by since it was seen last. Unlike
 * the sum of those that are there, it never falls. For use by one thread at a time.
 */
final class Growth {

  private Map<Object, Long> seen = new HashMap<>();
  private long total;

  /** The sum, given what each owner counts now. Owners that are missing are forgotten. */
  long to(Map<Object, Long> now) {
    now.forEach((owner, count) -> total += Math.max(0, count - seen.getOrDefault(owner, 0L)));
    seen = Map.copyOf(now);
    return total;
  }
}
