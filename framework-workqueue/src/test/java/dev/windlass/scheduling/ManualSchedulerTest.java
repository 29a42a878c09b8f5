// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every test on virtual time relies on. */
final class ManualSchedulerTest {

  private final ManualScheduler time = new ManualScheduler();
  private final List<Duration> rang = new ArrayList<>();

  private void ringAfter(Duration delay) {
    time.schedule(() -> rang.add(Duration.ofNanos(time.nanoTime())), delay);
  }

  @Test
  void runsEachTaskAtItsOwnTimeAndInOrder() {
    ringAfter(Duration.ofMillis(20));
    ringAfter(Duration.ofMillis(5));
    ringAfter(Duration.ofMillis(40));
    time.advance(Duration.ofMillis(30));
    assertThat(rang).containsExactly(Duration.ofMillis(5), Duration.ofMillis(20));
    assertThat(time.pending()).containsExactly(Duration.ofMillis(10));
  }

  /** As a worker does that is woken by a task and takes its time. */
  @Test
  void neverRunsBackWhenATaskAdvancesIt() {
    time.schedule(() -> time.advance(Duration.ofMillis(9)), Duration.ofMillis(40));
    time.advance(Duration.ofMillis(40));
    assertThat(Duration.ofNanos(time.nanoTime())).isEqualTo(Duration.ofMillis(49));
  }
}
