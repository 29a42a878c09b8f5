// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.time.Backoff;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts failures per key and asks a {@link Backoff}, without jitter. Holds an entry per failing
 * key only.
 */
final class ExponentialRateLimiter<T> implements RateLimiter<T> {

  private final ConcurrentHashMap<T, Integer> failures = new ConcurrentHashMap<>();
  private final Backoff backoff;

  ExponentialRateLimiter(Backoff backoff) {
    this.backoff = backoff;
  }

  @Override
  public Duration next(T key) {
    int count = failures.merge(key, 1, (old, one) -> old == Integer.MAX_VALUE ? old : old + one);
    return backoff.delay(count - 1);
  }

  @Override
  public void forget(T key) {
    failures.remove(key);
  }

  @Override
  public int retries(T key) {
    return failures.getOrDefault(key, 0);
  }
}
