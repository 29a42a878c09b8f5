// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/reliability.md} names tests that exist, for each fault that we know of. */
final class ReliabilityTableTest {

  private static final Pattern ROW = Pattern.compile("\\| ([A-Z]?[0-9]+) \\|.*\\|([^|]*)\\|");
  private static final Pattern CODE = Pattern.compile("`([^`]*)`");
  private static final Pattern TEST =
      Pattern.compile("([A-Z]\\w*(?:Test|IT|Contract))\\.([a-z]\\w*)");
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
                ids("H", 7),
                ids("I", 6),
                ids("J", 4),
                ids("K", 3),
                ids("L", 2),
                ids("", 34))
            .flatMap(ids -> ids)
            .toList();
    assertThat(rows()).extracting(Row::id).isEqualTo(expected);
  }

  @Test
  void eachRowNamesItsProof() {
    assertThat(rows())
        .allMatch(row -> TEST.matcher(row.proof()).find() || row.proof().contains(ELSEWHERE));
  }

  @Test
  void eachTestThatItNamesExists() {
    Map<String, List<String>> sources =
        Checkout.sources("test").stream()
            .collect(
                Collectors.toMap(ReliabilityTableTest::className, Checkout::lines, (a, b) -> a));
    List<String> missing = new ArrayList<>();
    for (Row row : rows()) {
      Matcher code = CODE.matcher(row.proof());
      while (code.find()) {
        Matcher test = TEST.matcher(code.group(1));
        if (!test.matches()
            || !isTest(sources.getOrDefault(test.group(1), List.of()), test.group(2))) {
          missing.add(row.id() + ": " + code.group(1));
        }
      }
    }
    assertThat(missing).as("tests that do not exist").isEmpty();
  }

  private static String className(Path file) {
    return String.valueOf(file.getFileName()).replace(".java", "");
  }

  /** A method of that name with an annotation that makes it a test right above it. */
  private static boolean isTest(List<String> lines, String method) {
    Pattern declaration = Pattern.compile("\\s*(public )?void " + method + "\\(.*");
    for (int i = 1; i < lines.size(); i++) {
      if (declaration.matcher(lines.get(i)).matches()) {
        for (int above = i - 1; above >= 0 && !lines.get(above).isBlank(); above--) {
          if (lines.get(above).matches("\\s*@(Test|ParameterizedTest|Property)\\b.*")) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
