// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses durations as Go writes them, such as {@code 1h30m} or {@code 1.5s}. */
final class GoDurations {
  private static final Pattern PART = Pattern.compile("(\\d*\\.?\\d+)(ns|us|µs|ms|s|m|h)");
  private static final Map<String, BigDecimal> NANOS =
      Map.of(
          "ns", BigDecimal.ONE,
          "us", BigDecimal.valueOf(1_000),
          "µs", BigDecimal.valueOf(1_000),
          "ms", BigDecimal.valueOf(1_000_000),
          "s", BigDecimal.valueOf(1_000_000_000L),
          "m", BigDecimal.valueOf(60_000_000_000L),
          "h", BigDecimal.valueOf(3_600_000_000_000L));

  private GoDurations() {}

  /**
   * Parses a duration.
   *
   * @throws IllegalArgumentException if the string is not a duration
   */
  static Duration parse(String text) {
    boolean negative = text.startsWith("-");
    String rest = negative ? text.substring(1) : text;
    Matcher matcher = PART.matcher(rest);
    BigDecimal nanos = BigDecimal.ZERO;
    int end = 0;
    while (matcher.find() && matcher.start() == end) {
      nanos = nanos.add(new BigDecimal(matcher.group(1)).multiply(NANOS.get(matcher.group(2))));
      end = matcher.end();
    }
    if ((end == 0 && !rest.equals("0")) || (end != rest.length() && !rest.equals("0"))) {
      throw new IllegalArgumentException("invalid duration: " + text);
    }
    return Duration.ofNanos(negative ? -nanos.longValue() : nanos.longValue());
  }
}
