// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http.auth;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Answers, each for a time of its own; at most {@value #MOST}, the oldest of which makes room.
 * Thread safe.
 */
final class Remembered<K, V> {

  static final int MOST = 1024;

  private record Entry<V>(V value, long until) {}

  private final Scheduler scheduler;

  @GuardedBy("this")
  private final Map<K, Entry<V>> entries = new LinkedHashMap<>();

  Remembered(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** What is remembered, and still good. */
  synchronized Optional<V> get(K key) {
    Entry<V> entry = entries.get(key);
    if (entry != null && entry.until() - scheduler.nanoTime() <= 0) {
      entries.remove(key);
      entry = null;
    }
    return entry == null ? Optional.empty() : Optional.of(entry.value());
  }

  /** Remembers an answer for a while. */
  synchronized void put(K key, V value, Duration time) {
    entries.remove(key);
    if (entries.size() >= MOST) {
      Iterator<K> oldest = entries.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    entries.put(key, new Entry<>(value, scheduler.nanoTime() + Scheduler.saturatedNanos(time)));
  }

  /** How many there are, good or not. */
  synchronized int size() {
    return entries.size();
  }
}
