// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
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
    "PT-10S, -10 s",
    "PT-0.0000005S, -500 ns",
    "PT2562047788015215H30M7.999999999S, 106751991167300 d 15 h 30 min 7.999 s",
    "PT-2562047788015215H-30M-8S, -106751991167300 d 15 h 30 min 7 s"
  })
  void isReadByPeople(Duration duration, String text) {
    assertThat(DurationText.of(duration)).isEqualTo(text);
  }

  @Test
  void endsForWhatIsForEver() {
    assertThat(DurationText.of(ChronoUnit.FOREVER.getDuration()))
        .startsWith("106751991167300 d 15 h");
  }
}
