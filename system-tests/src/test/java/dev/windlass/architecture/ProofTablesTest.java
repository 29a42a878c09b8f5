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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@code docs/reliability.md} and {@code docs/security.md} name tests that exist, for each fault,
 * bad input and promise, or own up.
 */
final class ProofTablesTest {

  private enum Page {
    RELIABILITY("docs/reliability.md", "[A-Z]?[0-9]+", "(integration)"),
    SECURITY("docs/security.md", "(?!promise |input )[^|]+?", "(not yet)");

    private final String file;
    private final Pattern row;

    /** What stands in place of a test. */
    private final String instead;

    Page(String file, String id, String instead) {
      this.file = file;
      this.row = Pattern.compile("\\| (" + id + ") \\|.*\\|([^|]*)\\|");
      this.instead = instead;
    }

    private List<Row> rows() {
      return Checkout.lines(Checkout.root().resolve(file)).stream()
          .map(row::matcher)
          .filter(Matcher::matches)
          .map(cells -> new Row(cells.group(1), cells.group(2).strip()))
          .toList();
    }
  }

  /** A line of one of the tables: what it is about, and what proves it. */
  private record Row(String id, String proof) {}

  private static Stream<String> ids(String letter, int last) {
    return IntStream.rangeClosed(1, last).mapToObj(number -> letter + number);
  }

  @Test
  void reliabilityHasARowForEachFaultAndEachBug() {
    List<Integer> faults = List.of(14, 6, 9, 4, 6, 3, 3, 9, 6, 6, 4, 2, 3);
    Stream<String> expected =
        IntStream.range(0, faults.size())
            .boxed()
            .flatMap(i -> ids(Character.toString('A' + i), faults.get(i)));
    assertThat(Page.RELIABILITY.rows())
        .extracting(Row::id)
        .isEqualTo(Stream.concat(expected, ids("", 35)).toList());
  }

  @Test
  void securityHasARowForEachOfTheFortyBadInputs() {
    assertThat(Page.SECURITY.rows().stream().map(Row::id).filter(id -> id.matches("[0-9]+")))
        .containsExactlyElementsOf(ids("", 40).toList());
  }

  @ParameterizedTest
  @EnumSource
  void eachRowNamesItsProofOrSaysThatThereIsNone(Page page) {
    assertThat(page.rows())
        .allMatch(row -> NamedTests.areIn(row.proof()) || row.proof().contains(page.instead));
    assertThat(Page.SECURITY.rows())
        .noneMatch(row -> NamedTests.areIn(row.proof()) && row.proof().startsWith("(not yet)"));
  }

  @ParameterizedTest
  @EnumSource
  void eachTestThatItNamesExists(Page page) {
    NamedTests tests = new NamedTests();
    List<String> missing = new ArrayList<>();
    for (Row row : page.rows()) {
      tests.missing(row.proof()).forEach(test -> missing.add(row.id() + ": " + test));
    }
    assertThat(missing).as("tests that do not exist").isEmpty();
  }
}
