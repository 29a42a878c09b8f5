// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class BackoffTest {

  private final Random random = new Random(1);

  @Test
  void doublesUpToTheGreatestDelay() {
    Backoff backoff = Backoff.exponential(Duration.ofMillis(5), Duration.ofMillis(30));
    assertThat(backoff.delay(0, random)).hasMillis(5);
    assertThat(backoff.delay(1, random)).hasMillis(10);
    assertThat(backoff.delay(2, random)).hasMillis(20);
    assertThat(backoff.delay(3, random)).hasMillis(30);
  }

  @Test
  void saturatesForAnyNumberOfAttempts() {
    Backoff backoff = Backoff.exponential(Duration.ofMillis(5), Duration.ofSeconds(1000));
    // client-java's long shift wraps at 64 failures and starts again at 5 ms
    for (int attempt : new int[] {63, 64, 65, 1000, Integer.MAX_VALUE}) {
      assertThat(backoff.delay(attempt, random)).hasSeconds(1000);
    }
  }

  @Test
  void addsAtMostItsShareOfJitter() {
    Backoff backoff = new Backoff(Duration.ofMillis(800), 2, Duration.ofSeconds(30), 1);
    for (int i = 0; i < 1000; i++) {
      assertThat(backoff.delay(0, random))
          .isBetween(Duration.ofMillis(800), Duration.ofMillis(1600));
    }
    assertThat(backoff.delay(0, random)).isNotEqualTo(backoff.delay(0, random));
  }

  @Test
  void namesTheValueThatItRefuses() {
    assertThatThrownBy(() -> Backoff.exponential(Duration.ZERO, Duration.ofSeconds(1)))
        .hasMessageContaining("0 s");
    assertThatThrownBy(() -> Backoff.exponential(Duration.ofSeconds(2), Duration.ofSeconds(1)))
        .hasMessageContaining("1 s");
    assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(1), 0.5, Duration.ofSeconds(1), 0))
        .hasMessageContaining("0.5");
    assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(1), -1))
        .hasMessageContaining("-1");
  }
}
