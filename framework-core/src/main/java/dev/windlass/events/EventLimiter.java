// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Token buckets, one per key, for a bounded number of keys; the key that was used longest ago is
 * forgotten. Times are monotonic nanoseconds and are given, never read. Not thread safe.
 */
final class EventLimiter<K> {

  private static final class Bucket {
    double tokens;
    long at;
  }

  private final double burst;
  private final double nanosPerToken;
  private final Map<K, Bucket> buckets;

  EventLimiter(int burst, Duration perToken, int maxKeys) {
    this.burst = burst;
    this.nanosPerToken = perToken.toNanos();
    this.buckets =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, Bucket> eldest) {
            return size() > maxKeys;
          }
        };
  }

  /** Takes a token of the key if it has one left. */
  boolean tryTake(K key, long now) {
    Bucket bucket = buckets.get(key);
    if (bucket == null) {
      bucket = new Bucket();
      bucket.tokens = burst;
      bucket.at = now;
      buckets.put(key, bucket);
    }
    bucket.tokens = Math.min(burst, bucket.tokens + (now - bucket.at) / nanosPerToken);
    bucket.at = now;
    if (bucket.tokens < 1) {
      return false;
    }
    bucket.tokens--;
    return true;
  }
}
