// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli;

import dev.windlass.diagnosis.CacheDiagnosis;
import dev.windlass.time.Pause;
import dev.windlass.time.Scheduler;
import dev.windlass.time.Step;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Tells of caches that take long to sync: after 2 s, and then every 10 s, which they are and how
 * many objects have arrived; and in the end how long it took. Nothing is said of a start that takes
 * less, and nothing more of caches that all have trouble, which they tell themselves. For use by
 * one thread.
 */
final class SyncProgress implements Step {

  /** A start that takes less needs no explanation. */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  /** From then on. */
  static final Duration PERIOD = Duration.ofSeconds(10);

  /** Between two looks, whether it is over. */
  private static final Duration REST = Duration.ofMillis(500);

  private final Supplier<List<CacheDiagnosis>> caches;
  private final ToLongFunction<CacheDiagnosis> arrived;
  private final Scheduler scheduler;
  private final Consumer<String> say;
  private final long begun;
  private long next;
  private boolean told;

  /**
   * Of caches that start now.
   *
   * @param caches as they are
   * @param arrived how many objects the list has brought that a cache is waiting for
   * @param say takes the lines
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
  public Pause run() {
    long now = scheduler.nanoTime();
    if (!told && now - next < 0) {
      return Pause.of(Duration.ofNanos(next - now));
    }
    List<CacheDiagnosis> missing = caches.get().stream().filter(cache -> !cache.synced()).toList();
    long seconds = Duration.ofNanos(now - begun).toSeconds();
    if (missing.isEmpty()) {
      if (told) {
        say.accept("All caches have synced, after " + seconds + " s");
      }
      return Pause.UNTIL_WOKEN;
    }
    if (now - next >= 0) {
      next += PERIOD.toNanos();
      if (!told || missing.stream().anyMatch(cache -> cache.trouble().isEmpty())) {
        say.accept("Caches are syncing since " + seconds + " s: " + line(missing));
      }
      told = true;
    }
    return Pause.of(REST);
  }

  private String line(List<CacheDiagnosis> missing) {
    return missing.stream()
        .map(cache -> name(cache) + " (" + state(cache) + ")")
        .collect(Collectors.joining(", "));
  }

  private static String name(CacheDiagnosis cache) {
    return cache.type() + (cache.namespace().isEmpty() ? "" : " in " + cache.namespace());
  }

  private String state(CacheDiagnosis cache) {
    return cache.trouble().isPresent()
        ? "in trouble"
        : String.format(Locale.ROOT, "%,d objects so far", arrived.applyAsLong(cache));
  }
}
