// SPDX-License-Identifier: Apache-2.0
package dev.windlass.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DurationTextTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 s",
    "PT10S, 10 s",
    "PT0.5S, 500 ms",
    "PT1.5S, 1.5 s",
    "PT1.05S, 1.05 s",
    "PT1.111S, 1.111 s",
    "PT0.000001S, 1000 ns",
    "PT1M, 1 min",
    "PT1M0.2S, 1 min 0.2 s",
    "PT90M, 1 h 30 min",
    "PT49H1S, 2 d 1 h 1 s",
    "PT-10S, -10 s"
  })
  void isReadByPeople(Duration duration, String text) {
    assertThat(DurationText.of(duration)).isEqualTo(text);
  }
}
