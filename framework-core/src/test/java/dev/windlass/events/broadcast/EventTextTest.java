// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class EventTextTest {

  private static final String EURO = "\u20ac"; // 3 bytes
  private static final String GRIN = "\ud83d\ude00"; // 4 bytes, 2 chars

  private record Case(String what, @Nullable String text, String note) {}

  static Stream<Case> notes() {
    String full = "a".repeat(1024);
    return Stream.of(
        new Case("nothing", null, ""),
        new Case("empty", "", ""),
        new Case("plain", "Foo synced", "Foo synced"),
        new Case("exactly 1 KiB", full, full),
        new Case("a byte too long", full + "a", "a".repeat(1021) + "..."),
        new Case("chars fit, bytes don't", EURO.repeat(342), EURO.repeat(340) + "..."),
        new Case("exactly 1 KiB of emoji", GRIN.repeat(256), GRIN.repeat(256)),
        new Case("an emoji too many", GRIN.repeat(257), GRIN.repeat(255) + "..."),
        new Case("umlauts", "\u00fc".repeat(513), "\u00fc".repeat(510) + "..."),
        new Case("a forged line", "ok\nWARN pay", "ok\\u000aWARN pay"),
        new Case("an escape at the end", "a".repeat(1018) + "\u001b", "a".repeat(1018) + "\\u001b"),
        new Case("an escape that is cut", "a".repeat(1019) + "\u001b", "a".repeat(1019) + "..."),
        new Case("half a character", "a\ud83d", "a\\ud83d"));
  }

  @ParameterizedTest
  @MethodSource("notes")
  void notesAreOneLineOfAtMostAKibibyte(Case c) {
    String note = EventText.note(c.text());
    assertThat(note).isEqualTo(c.note());
    assertThat(note.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(1024);
  }

  @Test
  void wordsAreNeverEmpty() {
    assertThat(EventText.word(null)).isEqualTo("Unspecified");
    assertThat(EventText.word(" ")).isEqualTo("Unspecified");
    assertThat(EventText.word("Synced")).isEqualTo("Synced");
  }

  @Test
  void wordsHaveAtMost128Bytes() {
    assertThat(EventText.word(EURO.repeat(43)).getBytes(StandardCharsets.UTF_8))
        .hasSizeLessThanOrEqualTo(128);
    assertThat(EventText.word("a".repeat(128))).isEqualTo("a".repeat(128));
  }
}
