// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.diagnosis.CacheDiagnosis;
import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Reports caches that take a long time to sync. After 2 s, and then every 10 s, this class reports
 * the names of these caches and the number of objects that each of them has received so far. When
 * all caches have synced, it reports the total time.
 *
 * <p>If all caches sync within 2 s, there are no reports. After the first report, this class
 * reports nothing while every remaining cache has a problem, because these caches log the problem
 * themselves. This class is not thread-safe.
 */
final class SyncProgress implements LoopStep {

  /** The time until the first report: 2 s. */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  /** The interval between reports after the first report: 10 s. */
  static final Duration PERIOD = Duration.ofSeconds(10);

  /** The interval at which this class checks whether all caches have synced: 500 ms. */
  private static final Duration REST = Duration.ofMillis(500);

  private final Supplier<List<CacheDiagnosis>> caches;
  private final ToLongFunction<CacheDiagnosis> arrived;
  private final Scheduler scheduler;
  private final Consumer<String> say;
  private final long begun;
  private long next;
  private boolean told;

  /**
   * Creates a reporter, which measures the time from its creation.
   *
   * @param caches the function that returns the current state of the caches
   * @param arrived the function that returns the number of objects that a cache has received so far
   * @param say the consumer of the report lines
   */
  SyncProgress(
      Supplier<List<CacheDiagnosis>> caches,
      ToLongFunction<CacheDiagnosis> arrived,
      Scheduler scheduler,
      Consumer<String> say) {
    this.caches = caches;
    this.arrived = arrived;
    this.scheduler = scheduler;
    this.say = say;
    this.begun = scheduler.nanoTime();
    this.next = begun + PATIENCE.toNanos();
  }

  @Override
  public StepDelay run() {
    long now = scheduler.nanoTime();
    if (!told && now - next < 0) {
      return StepDelay.of(Duration.ofNanos(next - now));
    }
    List<CacheDiagnosis> missing = caches.get().stream().filter(cache -> !cache.synced()).toList();
    long seconds = Duration.ofNanos(now - begun).toSeconds();
    if (missing.isEmpty()) {
      if (told) {
        say.accept("All caches synced after " + seconds + " s");
      }
      return StepDelay.UNTIL_WOKEN;
    }
    if (now - next >= 0) {
      next += PERIOD.toNanos();
      if (!told || missing.stream().anyMatch(cache -> cache.problem().isEmpty())) {
        say.accept("Caches have been syncing for " + seconds + " s: " + line(missing));
      }
      told = true;
    }
    return StepDelay.of(REST);
  }

  private String line(List<CacheDiagnosis> missing) {
    return missing.stream()
        .map(cache -> name(cache) + " (" + state(cache) + ")")
        .collect(Collectors.joining(", "));
  }

  private static String name(CacheDiagnosis cache) {
    return cache.type()
        + (cache.namespace().isEmpty() ? "" : " in " + cache.namespace())
        + (cache.cluster().isEmpty() ? "" : " in the cluster " + cache.cluster());
  }

  private String state(CacheDiagnosis cache) {
    return cache.problem().isPresent()
        ? "failing"
        : String.format(Locale.ROOT, "%,d objects so far", arrived.applyAsLong(cache));
  }
}
