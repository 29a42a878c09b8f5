// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A page with samples ends with a table of the packages of the types that it names, apart from
 * those of the JDK and of our tests. {@code -Dimports=write} writes the tables.
 */
final class ImportsOfSamplesTest {

  private static final Pattern SAMPLE =
      Pattern.compile("<!-- sample: (\\w+)#[-\\w]+ -->\n```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern IMPORT =
      Pattern.compile("^import ([a-z][\\w.]*?)\\.([A-Z]\\w*)(\\.[A-Z]\\w*)*;$");
  private static final Pattern SPAN = Pattern.compile("`[^`\n]+`");
  private static final String HEADING = "\n## Imports\n";

  /** All Java files, by the names of their types. */
  private static final Map<String, Path> FILES =
      Stream.of("main", "test")
          .flatMap(sourceSet -> Checkout.sources(sourceSet).stream())
          .collect(Collectors.toMap(ImportsOfSamplesTest::type, file -> file, (a, b) -> a));

  private static String type(Path file) {
    return String.valueOf(file.getFileName()).replace(".java", "");
  }

  static List<Path> pages() {
    return Checkout.filesBelow(Checkout.root().resolve("docs")).stream()
        .filter(file -> file.toString().endsWith(".md"))
        .filter(file -> SAMPLE.matcher(text(file)).find())
        .toList();
  }

  private static String text(Path file) {
    return String.join("\n", Checkout.lines(file)) + "\n";
  }

  @ParameterizedTest
  @MethodSource("pages")
  void theTableNamesThePackages(Path page) throws IOException {
    String text = text(page);
    int heading = text.indexOf(HEADING);
    String rest = heading < 0 ? text : text.substring(0, heading);
    String wanted = rest + table(packages(rest));
    if ("write".equals(System.getProperty("imports"))) {
      Files.writeString(page, wanted);
      return;
    }
    assertThat(text).as("%s; write it with -Dimports=write", page).isEqualTo(wanted);
  }

  /**
   * Samples can use types of the same name from several packages. A type that a sample uses can
   * also have the name of another one, which only the text means.
   */
  private static Map<String, TreeSet<String>> packages(String page) {
    List<MatchResult> samples = SAMPLE.matcher(page).results().toList();
    Map<String, TreeSet<String>> imports = new TreeMap<>();
    for (MatchResult sample : samples) {
      imports(sample.group(1), sample.group(2))
          .forEach(
              (type, origins) ->
                  imports.computeIfAbsent(type, none -> new TreeSet<>()).addAll(origins));
    }
    String spans =
        SPAN.matcher(page.replaceAll("(?s)```.*?```", ""))
            .results()
            .map(MatchResult::group)
            .collect(Collectors.joining(" "));
    samples.forEach(sample -> imports(sample.group(1), spans).forEach(imports::putIfAbsent));
    Map<String, TreeSet<String>> packages = new TreeMap<>();
    imports.forEach(
        (type, origins) ->
            origins.forEach(
                origin -> packages.computeIfAbsent(origin, none -> new TreeSet<>()).add(type)));
    return packages;
  }

  /** The packages of the types that a text names and a test class imports. */
  private static Map<String, TreeSet<String>> imports(String testClass, String code) {
    Map<String, TreeSet<String>> imports = new TreeMap<>();
    for (String line : Checkout.lines(FILES.get(testClass))) {
      Matcher matcher = IMPORT.matcher(line);
      if (matcher.matches()
          && !matcher.group(1).startsWith("java.")
          && !isOfOurTests(matcher.group(1), matcher.group(2))
          && Pattern.compile("\\b" + matcher.group(2) + "\\b").matcher(code).find()) {
        imports.computeIfAbsent(matcher.group(2), none -> new TreeSet<>()).add(matcher.group(1));
      }
    }
    return imports;
  }

  /** Test types of the lowest modules are part of the test kit. */
  private static boolean isOfOurTests(String origin, String type) {
    String file = String.valueOf(FILES.get(type)).replace('\\', '/');
    boolean published = file.contains("framework-workqueue") || file.contains("framework-informer");
    return origin.startsWith("dev.windlass") && file.contains("/src/test/") && !published;
  }

  private static String table(Map<String, TreeSet<String>> packages) {
    if (packages.isEmpty()) {
      return "";
    }
    List<String> lines = new ArrayList<>(List.of("", "## Imports", ""));
    lines.add("| package | types on this page |");
    lines.add("|---|---|");
    packages.forEach(
        (origin, types) ->
            lines.add(
                types.stream()
                    .map(type -> "`" + type + "`")
                    .collect(Collectors.joining(", ", "| `" + origin + "` | ", " |"))));
    return String.join("\n", lines) + "\n";
  }
}
