// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code docs/contracts.md} promises rests on classes and tests that exist. */
final class ContractsTest {

  private static final Path PAGE = Checkout.root().resolve("docs/contracts.md");

  /** A class, and perhaps a member of it. */
  private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)(?:\\.(\\w+))?(?:\\(\\))?`");

  @Test
  void eachClassAndEachTestThatIsNamedExists() {
    Map<String, Path> sources =
        Stream.of("main", "test")
            .flatMap(sourceSet -> Checkout.sources(sourceSet).stream())
            .collect(Collectors.toMap(ContractsTest::nameOf, Function.identity(), (a, b) -> a));
    List<String> missing = new ArrayList<>();
    int tests = 0;
    Matcher named = NAME.matcher(String.join("\n", Checkout.lines(PAGE)));
    while (named.find()) {
      Path source = sources.get(named.group(1));
      String member = named.group(2);
      boolean isTest = named.group(1).endsWith("Test");
      tests += isTest ? 1 : 0;
      if (source == null ? isTest || member != null : member != null && !has(source, member)) {
        missing.add(named.group());
      }
    }
    assertThat(missing).as("names in %s that stand for nothing", PAGE).isEmpty();
    assertThat(tests).as("tests that %s names", PAGE).isGreaterThan(40);
  }

  private static String nameOf(Path source) {
    return source.getFileName().toString().replace(".java", "");
  }

  private static boolean has(Path source, String member) {
    Pattern word = Pattern.compile("\\b" + member + "\\b");
    return Checkout.lines(source).stream().anyMatch(line -> word.matcher(line).find());
  }
}
