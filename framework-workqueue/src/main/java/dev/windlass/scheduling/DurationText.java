// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Formats durations for log lines and messages, for example as {@code 10 s} or {@code 1 h 30 min}.
 */
public final class DurationText {

  private static final long MILLIS_PER_SECOND = 1000;

  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE);

  private DurationText() {}

  /**
   * Formats the given duration in days, hours, minutes and seconds, and omits units that are zero.
   * The result has a precision of one millisecond, such as {@code 500 ms} or {@code 1.5 s}. A
   * duration of less than one millisecond is formatted in nanoseconds.
   */
  public static String of(Duration duration) {
    if (duration.isNegative()) {
      // The smallest duration cannot be negated.
      boolean least = duration.toSeconds() == Long.MIN_VALUE;
      return "-" + of(least ? LONGEST : duration.negated());
    }
    if (!duration.isZero() && duration.compareTo(MILLI) < 0) {
      return duration.toNanos() + " ns";
    }
    List<String> parts = new ArrayList<>(4);
    add(parts, duration.toDays(), "d");
    add(parts, duration.toHoursPart(), "h");
    add(parts, duration.toMinutesPart(), "min");
    String seconds = seconds(duration, parts.isEmpty());
    if (!seconds.isEmpty()) {
      parts.add(seconds);
    }
    return String.join(" ", parts);
  }

  private static void add(List<String> parts, long number, String unit) {
    if (number > 0) {
      parts.add(number + " " + unit);
    }
  }

  private static String seconds(Duration duration, boolean alone) {
    int whole = duration.toSecondsPart();
    int millis = duration.toMillisPart();
    if (whole == 0 && millis == 0) {
      return alone ? "0 s" : "";
    }
    if (whole == 0 && alone) {
      return millis + " ms";
    }
    String fraction = millis == 0 ? "" : ("." + (MILLIS_PER_SECOND + millis)).replaceFirst("1", "");
    return whole + fraction.replaceFirst("0+$", "") + " s";
  }
}
