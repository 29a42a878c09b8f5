// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver.auth;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A cache whose entries have individual lifetimes. It holds at most {@value #MOST} entries; if it
 * is full, a new entry replaces the oldest one. This class is thread-safe.
 */
final class ExpiringCache<K, V> {

  static final int MOST = 1024;

  private record Entry<V>(V value, long until) {}

  private final Scheduler scheduler;

  @GuardedBy("this")
  private final Map<K, Entry<V>> entries = new LinkedHashMap<>();

  ExpiringCache(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Returns the cached value, or empty if there is none or it has expired. */
  synchronized Optional<V> get(K key) {
    Entry<V> entry = entries.get(key);
    if (entry != null && entry.until() - scheduler.nanoTime() <= 0) {
      entries.remove(key);
      entry = null;
    }
    return entry == null ? Optional.empty() : Optional.of(entry.value());
  }

  synchronized void put(K key, V value, Duration time) {
    entries.remove(key);
    if (entries.size() >= MOST) {
      Iterator<K> oldest = entries.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    entries.put(key, new Entry<>(value, scheduler.nanoTime() + Scheduler.saturatedNanos(time)));
  }

  /** Returns the number of entries, including expired ones. */
  synchronized int size() {
    return entries.size();
  }
}
