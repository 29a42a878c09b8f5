// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tells what has been wrong for a while from what has just begun, for things that are wrong now and
 * then and cure themselves. It knows what it is asked about, so ask it regularly. Thread safe.
 */
public final class Lasting {

  private final Scheduler scheduler;
  private final Duration patience;

  /** What is wrong, and since when. */
  @GuardedBy("this")
  private final Map<String, Long> since = new HashMap<>();

  /**
   * Nothing is known to be wrong.
   *
   * @param patience how long a while is
   */
  public Lasting(Scheduler scheduler, Duration patience) {
    this.scheduler = scheduler;
    this.patience = patience;
  }

  /** Of all that is wrong now, what has been for as long as that. */
  public synchronized Set<String> of(Stream<String> wrong) {
    long now = scheduler.nanoTime();
    Set<String> current = wrong.collect(Collectors.toCollection(HashSet::new));
    since.keySet().retainAll(current);
    current.forEach(each -> since.putIfAbsent(each, now));
    long enough = Scheduler.saturatedNanos(patience);
    Set<String> lasting = new HashSet<>();
    for (Map.Entry<String, Long> each : since.entrySet()) {
      if (now - each.getValue() >= enough) {
        lasting.add(each.getKey());
      }
    }
    return lasting;
  }
}
