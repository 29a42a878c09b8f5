// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** E4, P10. */
final class OneLineTest {

  record Case(String text, String shown) {}

  static Stream<Case> cases() {
    return Stream.of(
        new Case("", ""),
        new Case("a-b.c:d", "a-b.c:d"),
        new Case("ünï 中文 \ud83d\ude00", "ünï 中文 \ud83d\ude00"),
        new Case("a\r\nb", "a\\u000d\\u000ab"),
        new Case("\u001b[31m", "\\u001b[31m"),
        new Case("\u202eexe", "\\u202eexe"),
        new Case("\u2028\u2029\u0085\u0000", "\\u2028\\u2029\\u0085\\u0000"),
        new Case("\udb40\udc41", "\\udb40\\udc41"),
        new Case("half \ud83d", "half \\ud83d"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void showsWhatWouldDoHarmByItsCode(Case c) {
    assertThat(OneLine.of(c.text())).isEqualTo(c.shown());
    assertThat(ObjectKey.of("n", "x" + c.text())).hasToString("n/x" + c.shown());
  }

  @Test
  void cutsOffWhatIsTooLong() {
    assertThat(OneLine.of("abcd\n", 4)).isEqualTo("abcd...");
    assertThat(OneLine.of("abc\n", 4)).isEqualTo("abc\\u000a");
  }
}
