// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.diagnosis.CacheDiagnosis;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.StepDelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is said while caches sync. */
final class SyncProgressTest {

  private final ManualScheduler scheduler = new ManualScheduler();
  private final List<String> said = new ArrayList<>();
  private List<CacheDiagnosis> caches = List.of(cache("foos.example.com", "", false));
  private long arrived;
  private final SyncProgress progress =
      new SyncProgress(() -> caches, cache -> arrived, scheduler, said::add);

  private static CacheDiagnosis cache(String type, String namespace, boolean synced) {
    return cache(type, namespace, synced, Optional.empty());
  }

  private static CacheDiagnosis cache(
      String type, String namespace, boolean synced, Optional<String> problem) {
    return new CacheDiagnosis(
        type.equals("secrets") ? "east" : "",
        type,
        namespace,
        Optional.empty(),
        synced,
        problem,
        0,
        0,
        Duration.ZERO,
        Optional.empty(),
        Optional.empty(),
        0,
        Optional.empty(),
        Optional.empty());
  }

  /** Lets time pass as a loop does: it rests for as long as it was told to. */
  private void passes(Duration time) {
    long end = scheduler.nanoTime() + time.toNanos();
    while (scheduler.nanoTime() - end <= 0) {
      StepDelay pause = progress.run();
      Duration left = Duration.ofNanos(end - scheduler.nanoTime() + 1);
      Duration rest = pause.limit().orElse(left);
      scheduler.advance(rest.compareTo(left) < 0 ? rest : left);
    }
  }

  @Test
  void isSilentIfAllHaveSyncedWithinTwoSeconds() {
    passes(Duration.ofMillis(1900));
    caches = List.of(cache("foos.example.com", "", true));
    passes(Duration.ofMinutes(1));
    assertThat(said).isEmpty();
  }

  @Test
  void namesWhatIsMissingAfterTwoSecondsAndThenEveryTen() {
    caches =
        List.of(
            cache("foos.example.com", "", false),
            cache("deployments.apps", "", true),
            cache("pods", "shop", false),
            cache("secrets", "", false));
    arrived = 1500;
    passes(Duration.ofMillis(2100));
    assertThat(said)
        .containsExactly(
            "Caches have been syncing for 2 s: foos.example.com (1,500 objects so far), pods in"
                + " shop (1,500 objects so far), secrets in the cluster east (1,500 objects so"
                + " far)");
    passes(Duration.ofSeconds(9));
    assertThat(said).hasSize(1);
    arrived = 20_000;
    caches = List.of(cache("foos.example.com", "", false));
    passes(Duration.ofSeconds(11));
    assertThat(said).hasSize(3);
    assertThat(said.get(1))
        .isEqualTo("Caches have been syncing for 12 s: foos.example.com (20,000 objects so far)");
    assertThat(said.get(2)).startsWith("Caches have been syncing for 22 s");
  }

  @Test
  void saysInTheEndHowLongItTook() {
    passes(Duration.ofSeconds(4));
    caches = List.of(cache("foos.example.com", "", true));
    passes(Duration.ofMinutes(1));
    assertThat(said).hasSize(2);
    assertThat(said.get(1)).isEqualTo("All caches synced after 4 s");
  }

  /** They say it themselves, and say more. */
  @Test
  void saysOnlyOnceThatAllThatAreMissingHaveTrouble() {
    caches = List.of(cache("foos.example.com", "", false, Optional.of("refused")));
    passes(Duration.ofMinutes(1));
    assertThat(said)
        .containsExactly("Caches have been syncing for 2 s: foos.example.com (failing)");
  }
}
