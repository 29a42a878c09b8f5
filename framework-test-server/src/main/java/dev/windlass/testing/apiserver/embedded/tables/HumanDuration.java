// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.tables;

import java.time.Duration;

/** Formats durations with at most two units, as the real server does. */
final class HumanDuration {

  private HumanDuration() {}

  static String of(Duration age) {
    long seconds = age.toSeconds();
    if (seconds < 0) {
      return seconds >= -1 ? "0s" : "<invalid>";
    }
    long minutes = seconds / 60;
    long hours = minutes / 60;
    long days = hours / 24;
    if (seconds < 120) {
      return seconds + "s";
    }
    if (minutes < 10) {
      return with(minutes, "m", seconds % 60, "s");
    }
    if (hours < 3) {
      return minutes + "m";
    }
    if (hours < 8) {
      return with(hours, "h", minutes % 60, "m");
    }
    if (hours < 48) {
      return hours + "h";
    }
    if (days < 8) {
      return with(days, "d", hours % 24, "h");
    }
    if (days < 2 * 365) {
      return days + "d";
    }
    return days < 8 * 365 ? with(days / 365, "y", days % 365, "d") : days / 365 + "y";
  }

  private static String with(long first, String unit, long second, String smaller) {
    return second == 0 ? first + unit : first + unit + second + smaller;
  }
}
