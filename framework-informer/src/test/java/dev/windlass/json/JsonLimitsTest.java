// SPDX-License-Identifier: Apache-2.0
package dev.windlass.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Forty bad inputs, 1, 2 and 4, for whatever is parsed by Jackson. */
final class JsonLimitsTest {

  private record Case(String what, String allowed, String refused) {}

  private static String list(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }

  private static String text(int length) {
    return "\"" + "x".repeat(length) + "\"";
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("depth", list(1_000), list(1_001)),
        new Case("string", text(2_000_000), text(20_100_000)),
        new Case("number", "9".repeat(1_000), "9".repeat(1_001)),
        new Case("name", "{" + text(50_000) + ":1}", "{" + text(60_000) + ":1}"));
  }

  private static int tokens(String json) throws IOException {
    int count = 0;
    try (JsonParser parser = JsonLimits.factory().createParser(json)) {
      while (parser.nextToken() != null) {
        parser.getText();
        if (parser.currentToken().isNumeric()) {
          parser.getNumberValue();
        }
        count++;
      }
    }
    return count;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void refusesWhatIsTooLarge(Case c) throws IOException {
    assertThat(tokens(c.allowed())).isPositive();
    assertThatThrownBy(() -> tokens(c.refused())).isInstanceOf(StreamConstraintsException.class);
  }
}
