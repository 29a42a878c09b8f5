// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ResultTest {

  private record Case(
      Result result, boolean requeue, Duration requeueAfter, boolean atOnce, String text) {}

  static Stream<Case> cases() {
    Duration ten = Duration.ofSeconds(10);
    return Stream.of(
        new Case(Result.done(), false, Duration.ZERO, false, "done"),
        new Case(Result.requeueWithBackoff(), true, Duration.ZERO, false, "requeue with back-off"),
        new Case(Result.requeueAfter(ten), false, ten, false, "requeue after 10 s"),
        new Case(Result.requeueAfter(Duration.ZERO), false, Duration.ZERO, true, "requeue at once"),
        new Case(new Result(false, Duration.ZERO), false, Duration.ZERO, false, "done"),
        new Case(new Result(true, ten), true, ten, false, "requeue after 10 s"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void saysWhatItsFactorySays(Case c) {
    assertThat(c.result().requeue()).isEqualTo(c.requeue());
    assertThat(c.result().requeueAfter()).isEqualTo(c.requeueAfter());
    assertThat(c.result().isAtOnce()).isEqualTo(c.atOnce());
    assertThat(c.result().isDone()).isEqualTo(c.text().equals("done"));
    assertThat(c.result()).hasToString(c.text());
  }

  /** Nothing of two results is mixed up: not "done" and "at once", nor two priorities. */
  @Test
  void areEqualIfTheyMeanTheSame() {
    Result low = Result.requeueAfter(Duration.ZERO).withPriority(Priority.LOW);
    assertThat(new Result(false, Duration.ZERO))
        .isEqualTo(Result.done())
        .isNotEqualTo(Result.requeueAfter(Duration.ZERO));
    assertThat(low)
        .isEqualTo(Result.requeueAfter(Duration.ZERO).withPriority(Priority.LOW))
        .hasSameHashCodeAs(Result.requeueAfter(Duration.ZERO).withPriority(Priority.LOW))
        .isNotEqualTo(Result.requeueAfter(Duration.ZERO))
        .isNotEqualTo(Result.requeueAfter(Duration.ZERO).withPriority(Priority.NORMAL));
    assertThat(low.priority()).contains(Priority.LOW);
    assertThat(low).hasToString("requeue at once, priority low");
    assertThat(Result.requeueWithBackoff().withPriority(Priority.NORMAL))
        .hasToString("requeue with back-off, priority normal");
    assertThat(new Priority(Duration.ofSeconds(90))).hasToString("handicap 1 min 30 s");
    assertThat(Result.done().priority()).isEmpty();
  }

  @Test
  void refusesANegativeDelayByName() {
    assertThatThrownBy(() -> Result.requeueAfter(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1 ms")
        .hasMessageContaining("Result.done()");
  }

  @Test
  @SuppressWarnings("NullAway")
  void refusesNullByName() {
    assertThatThrownBy(() -> Result.requeueAfter(null))
        .hasMessage(
            "requeueAfter(...) was given null: pass zero to run immediately, or use Result.done()");
    assertThatThrownBy(() -> Result.done().withPriority(null))
        .hasMessageStartingWith("withPriority(...) was given null: ");
    assertThat(Result.requeueAfter(ChronoUnit.FOREVER.getDuration()).toString())
        .startsWith("requeue after 106751991167300 d");
  }
}
