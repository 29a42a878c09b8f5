// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits rates with token buckets, one for each key. If the maximum number of keys is exceeded,
 * this class removes the least recently used key. The caller passes the current time as a value of
 * {@code Scheduler.nanoTime}. This class is not thread-safe.
 */
final class EventLimiter<K> {

  private static final class Bucket {
    /**
     * The number of tokens in the bucket, multiplied by {@code nanosPerToken}. The product is
     * stored as an integer to avoid rounding errors.
     */
    long saved;

    long at;
  }

  private final long most;
  private final long nanosPerToken;
  private final Map<K, Bucket> buckets;

  EventLimiter(int burst, Duration perToken, int maxKeys) {
    this.nanosPerToken = perToken.toNanos();
    this.most = Math.multiplyExact(burst, nanosPerToken);
    this.buckets =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, Bucket> eldest) {
            return size() > maxKeys;
          }
        };
  }

  /**
   * Takes a token from the bucket of a key.
   *
   * @return whether a token was available
   */
  boolean tryTake(K key, long now) {
    Bucket bucket = buckets.get(key);
    if (bucket == null) {
      bucket = new Bucket();
      bucket.saved = most;
      bucket.at = now;
      buckets.put(key, bucket);
    }
    bucket.saved += Math.min(most - bucket.saved, now - bucket.at);
    bucket.at = now;
    if (bucket.saved < nanosPerToken) {
      return false;
    }
    bucket.saved -= nanosPerToken;
    return true;
  }
}
