// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Forty bad inputs, 40: no regular expression of ours can be kept busy by who chooses the text. A
 * pattern that looks at the same characters again and again needs seconds for these; a good one
 * needs microseconds.
 */
final class PatternBaitTest {

  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*+)\"");

  /** Others take no time. */
  private static final Pattern LOOKS_LIKE_ONE =
      Pattern.compile(".*(\\[[^\\]]+\\]|\\)|\\\\\\\\[dws])[*+{].*");

  private static final List<String> BAITS =
      List.of(
          "a".repeat(60) + "!",
          "0".repeat(60) + "!",
          "-".repeat(60) + "!",
          "a.".repeat(30) + "!",
          "a-".repeat(30) + "!",
          "a/".repeat(30) + "!",
          " ".repeat(60) + "!",
          "a=b,".repeat(15) + "!");

  private static List<Pattern> patterns() {
    List<Pattern> found = new ArrayList<>();
    String sources =
        Checkout.sources("main").stream()
            .filter(file -> file.toString().matches(".*framework-(workqueue|informer|core).*"))
            .map(file -> String.join("\n", Checkout.lines(file)))
            .collect(Collectors.joining("\n"));
    Matcher literal = LITERAL.matcher(sources);
    while (literal.find()) {
      if (LOOKS_LIKE_ONE.matcher(literal.group(1)).matches()) {
        try {
          found.add(Pattern.compile(literal.group(1).replace("\\\\", "\\")));
        } catch (PatternSyntaxException e) {
          // a text with brackets in it
        }
      }
    }
    return found;
  }

  @Test
  void noPatternTakesTheBait() {
    List<Pattern> patterns = patterns();
    assertThat(patterns.stream().map(Pattern::pattern))
        .as("that it finds them at all")
        .contains("[0-9]+", "-?[0-9]{1,9}", "([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?");
    for (Pattern pattern : patterns) {
      for (String bait : BAITS) {
        assertThat(fastest(pattern, bait))
            .as("microseconds that '%s' takes for '%s'", pattern, bait)
            .isLessThanOrEqualTo(1_000);
      }
    }
  }

  @Test
  void aBadPatternWouldBeFound() {
    assertThat(fastest(Pattern.compile("(a|aa)+\\1b"), "a".repeat(30) + "!")).isGreaterThan(1_000);
  }

  /** Of three attempts, so that a busy machine does no harm. */
  private static long fastest(Pattern pattern, String text) {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long start = System.nanoTime();
      boolean unused = pattern.matcher(text).matches();
      best = Math.min(best, System.nanoTime() - start);
    }
    return TimeUnit.NANOSECONDS.toMicros(best);
  }
}
