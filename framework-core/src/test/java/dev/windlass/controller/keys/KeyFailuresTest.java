// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is kept of the failures of one request, whoever chooses their causes. */
final class KeyFailuresTest {

  private final KeyFailures failures = new KeyFailures("uid", 0);

  private long eventsAt(Duration time) {
    return IntStream.range(0, 30)
        .filter(i -> failures.isEventDue("cause " + i, Duration.ZERO, time.toNanos()))
        .count();
  }

  @Test
  void haveTwentyEventsPerHourAtMost() {
    assertThat(eventsAt(Duration.ZERO)).isEqualTo(20);
    assertThat(eventsAt(Duration.ofMinutes(59))).isZero();
    assertThat(eventsAt(Duration.ofMinutes(60))).isEqualTo(20);
  }
}
