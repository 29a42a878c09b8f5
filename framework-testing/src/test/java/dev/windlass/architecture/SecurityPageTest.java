// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/security.md} names a test for each bad input and each promise, or owns up. */
final class SecurityPageTest {

  private static final Pattern ROW = Pattern.compile("\\| ([^|]+?) \\|.*\\|([^|]*)\\|");
  private static final String OPEN = "(not yet)";

  private record Row(String id, String proof) {}

  private static List<Row> rows() {
    return Checkout.lines(Checkout.root().resolve("docs/security.md")).stream()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .map(row -> new Row(row.group(1), row.group(2).strip()))
        .filter(row -> !row.id().equals("promise") && !row.id().equals("input"))
        .toList();
  }

  @Test
  void itHasARowForEachOfTheFortyBadInputs() {
    List<String> numbers = new ArrayList<>();
    for (int i = 1; i <= 40; i++) {
      numbers.add(Integer.toString(i));
    }
    assertThat(rows().stream().map(Row::id).filter(id -> id.matches("[0-9]+")))
        .containsExactlyElementsOf(numbers);
  }

  @Test
  void eachRowNamesItsProofOrSaysThatThereIsNone() {
    assertThat(rows())
        .allMatch(row -> NamedTests.areIn(row.proof()) != row.proof().startsWith(OPEN));
  }

  @Test
  void eachTestThatItNamesExists() {
    NamedTests tests = new NamedTests();
    assertThat(rows().stream().flatMap(row -> named(tests, row))).isEmpty();
  }

  private static Stream<String> named(NamedTests tests, Row row) {
    return tests.missing(row.proof()).stream().map(test -> row.id() + ": " + test);
  }
}
