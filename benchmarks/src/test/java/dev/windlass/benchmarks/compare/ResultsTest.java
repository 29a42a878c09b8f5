// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultsTest {

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
}
