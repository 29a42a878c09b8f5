// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {

  private static final LocalDate DAY = LocalDate.of(2026, 1, 31);

  @Test
  void takesTheMiddleOfAnOddNumber() {
    assertThat(Results.median(List.of(9.0, 1.0, 2.0))).hasValue(2);
  }

  @Test
  void takesTheMeanOfTheTwoInTheMiddleOfAnEvenNumber() {
    assertThat(Results.median(List.of(8.0, 1.0, 2.0, 4.0))).hasValue(3);
  }

  @Test
  void hasNoMedianOfNothing() {
    assertThat(Results.median(List.of())).isEmpty();
  }

  @Test
  void keepsScenariosSizesRowsAndColumnsApart() throws Exception {
    Results results = Results.inMemory();
    results.add(0, Scenario.SYNC, 10, "a", Map.of("wall s", 1.0));
    results.add(0, Scenario.SYNC, 20, "a", Map.of("wall s", 2.0));
    results.add(0, Scenario.SYNC, 10, "b", Map.of("wall s", 3.0, "CPU s", 4.0));
    results.add(0, Scenario.CONVERGE, 10, "a", Map.of("wall s", 5.0));

    assertThat(results.median(Scenario.SYNC, 10, "a", "wall s")).hasValue(1);
    assertThat(results.median(Scenario.SYNC, 20, "a", "wall s")).hasValue(2);
    assertThat(results.median(Scenario.SYNC, 10, "b", "CPU s")).hasValue(4);
    assertThat(results.median(Scenario.SYNC, 10, "a", "CPU s")).isEmpty();
  }

  @Test
  void continuesWithTheRunsOfItsFile(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("target").resolve("runs.jsonl");
    Results first = Results.in(file, true, "c1", DAY);
    first.add(0, Scenario.SYNC, 10, "a", Map.of("wall s", 1.5));
    first.add(1, Scenario.SYNC, 10, "a", Map.of("wall s", 2.5));

    Results second = Results.in(file, true, "c2", DAY.plusDays(1));
    assertThat(second.contains(1, Scenario.SYNC, 10, "a")).isTrue();
    assertThat(second.contains(2, Scenario.SYNC, 10, "a")).isFalse();
    assertThat(second.median(Scenario.SYNC, 10, "a", "wall s")).hasValue(2);
    second.add(2, Scenario.SYNC, 10, "b", Map.of("wall s", 2.5));
    assertThat(second.origin(Scenario.SYNC, 10))
        .isEqualTo("2 rounds, commit c1, 2026-01-31; 1 round, commit c2, 2026-02-01");
    assertThat(Results.in(file, false, "c1", DAY).contains(0, Scenario.SYNC, 10, "a")).isFalse();
  }

  @Test
  void fitsALine() {
    assertThat(SimultaneousRuns.slope(List.of(1.0, 3.0, 5.0, 7.0))).isEqualTo(2);
    assertThat(SimultaneousRuns.slope(List.of(4.0))).isZero();
  }
}
