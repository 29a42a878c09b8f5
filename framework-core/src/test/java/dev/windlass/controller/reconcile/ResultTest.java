// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.behaviour.Proves;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ResultTest {

  private record Case(Result result, boolean requeue, Duration requeueAfter) {}

  static Stream<Case> cases() {
    Duration ten = Duration.ofSeconds(10);
    return Stream.of(
        new Case(Result.done(), false, Duration.ZERO),
        new Case(Result.requeueWithBackoff(), true, Duration.ZERO),
        new Case(Result.requeueAfter(ten), false, ten),
        new Case(Result.requeueAfter(Duration.ZERO), false, Duration.ofNanos(1)),
        new Case(new Result(false, Duration.ZERO), false, Duration.ZERO));
  }

  @ParameterizedTest
  @MethodSource("cases")
  @Proves({"000-57", "003-28"})
  void saysWhatItsFactorySays(Case c) {
    assertThat(c.result().requeue()).isEqualTo(c.requeue());
    assertThat(c.result().requeueAfter()).isEqualTo(c.requeueAfter());
  }

  @Test
  void refusesANegativeDelayByName() {
    assertThatThrownBy(() -> Result.requeueAfter(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-0.001S")
        .hasMessageContaining("Result.done()");
  }
}
