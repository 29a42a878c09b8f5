// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/reliability.md} names tests that exist, for each fault that we know of. */
final class ReliabilityTableTest {

  private static final Pattern ROW = Pattern.compile("\\| ([A-Z]?[0-9]+) \\|.*\\|([^|]*)\\|");
  private static final String ELSEWHERE = "(integration)";

  /** A line of one of the tables: what it is about, and what proves it. */
  private record Row(String id, String proof) {}

  private static List<Row> rows() {
    return Checkout.lines(Checkout.root().resolve("docs/reliability.md")).stream()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .map(row -> new Row(row.group(1), row.group(2).strip()))
        .toList();
  }

  private static Stream<String> ids(String letter, int last) {
    return IntStream.rangeClosed(1, last).mapToObj(number -> letter + number);
  }

  @Test
  void itHasARowForEachFaultAndEachBug() {
    List<String> expected =
        Stream.of(
                ids("A", 14),
                ids("B", 6),
                ids("C", 9),
                ids("D", 4),
                ids("E", 6),
                ids("F", 3),
                ids("G", 3),
                ids("H", 9),
                ids("I", 6),
                ids("J", 6),
                ids("K", 4),
                ids("L", 2),
                ids("M", 3),
                ids("", 34))
            .flatMap(ids -> ids)
            .toList();
    assertThat(rows()).extracting(Row::id).isEqualTo(expected);
  }

  @Test
  void eachRowNamesItsProof() {
    assertThat(rows())
        .allMatch(row -> NamedTests.areIn(row.proof()) || row.proof().contains(ELSEWHERE));
  }

  @Test
  void eachTestThatItNamesExists() {
    NamedTests tests = new NamedTests();
    List<String> missing = new ArrayList<>();
    for (Row row : rows()) {
      tests.missing(row.proof()).forEach(test -> missing.add(row.id() + ": " + test));
    }
    assertThat(missing).as("tests that do not exist").isEmpty();
  }
}
