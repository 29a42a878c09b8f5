// SPDX-License-Identifier: Apache-2.0
package dev.windlass.logging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.ObjectKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** External text is escaped before it is logged (docs/reliability.md, E4). */
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

  /** Stack traces repeat what others wrote, also that of causes. */
  @Test
  void showsAFailureWithHarmfulWordsByACopy() {
    IllegalStateException harmless =
        new IllegalStateException("a plain one", new IOException("and its cause"));
    assertThat(OneLine.of(harmless)).isSameAs(harmless);

    IllegalStateException harmful =
        new IllegalStateException("first", new IOException("a\nERROR forged"));
    harmful.addSuppressed(new IOException("\u001b[31m"));
    Throwable shown = OneLine.of(harmful);
    StringWriter text = new StringWriter();
    shown.printStackTrace(new PrintWriter(text));
    assertThat(text.toString())
        .contains("java.lang.IllegalStateException: first")
        .contains("java.io.IOException: a\\u000aERROR forged")
        .contains("java.io.IOException: \\u001b[31m")
        .doesNotContain("\nERROR", "EscapedThrowable");
    assertThat(shown.getStackTrace()).isEqualTo(harmful.getStackTrace());
  }

  @Test
  void showsCausesThatFormACircle() {
    IOException inner = new IOException("a\nb");
    IOException outer = new IOException("x", inner);
    inner.initCause(outer);
    assertThat(OneLine.of(outer).getMessage()).isEqualTo("java.io.IOException: x");
  }

  @Test
  void cutsOffBetweenCharacters() {
    assertThat(OneLine.of("a😀b", 2)).isEqualTo("a...");
    assertThat(OneLine.of("a😀b", 3)).isEqualTo("a😀...");
    assertThat(OneLine.cut("😀", 1)).isEmpty();
    assertThat(OneLine.cut("😀", 2)).isEqualTo("😀");
    assertThat(OneLine.cut("ab", 0)).isEmpty();
  }
}
