// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health.checks;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Filters out transient problems: reports only problems that have lasted for a given time. Call
 * {@link #of} regularly, because the filter observes problems only when it is called. This class is
 * thread-safe.
 */
public final class PersistentProblems {

  private final Scheduler scheduler;
  private final Duration patience;

  /**
   * The current problems, each with the time at which it was first observed, as a value of {@link
   * Scheduler#nanoTime}.
   */
  @GuardedBy("this")
  private final Map<String, Long> since = new HashMap<>();

  /**
   * Creates a filter that has not observed any problems yet.
   *
   * @param patience how long a problem must last before it is reported
   */
  public PersistentProblems(Scheduler scheduler, Duration patience) {
    this.scheduler = scheduler;
    this.patience = patience;
  }

  /**
   * Returns the current problems that have lasted long enough to be reported.
   *
   * @param wrong all current problems
   */
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
