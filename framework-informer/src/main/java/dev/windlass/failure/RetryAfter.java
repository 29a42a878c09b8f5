// SPDX-License-Identifier: Apache-2.0
package dev.windlass.failure;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Parses the {@code Retry-After} header, with which a server requests a delay before a retry. */
public final class RetryAfter {

  private RetryAfter() {}

  /**
   * Returns the delay that a response requests. Returns zero if it requests no delay, or if the
   * header is invalid.
   *
   * @param value the value of the {@code Retry-After} header, which is a number of seconds or a
   *     date, or null if the response does not have this header
   * @param date the value of the {@code Date} header, or null. A date in {@code Retry-After} is
   *     compared with this date, so the result does not depend on the local clock
   */
  public static Duration of(@Nullable String value, @Nullable String date) {
    if (value == null) {
      return Duration.ZERO;
    }
    try {
      Duration requested =
          value.matches("[0-9]+")
              ? Duration.ofSeconds(Long.parseLong(value))
              : Duration.between(parsed(date), parsed(value));
      return requested.isNegative() ? Duration.ZERO : requested;
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      return Duration.ZERO; // the value is neither a number of seconds nor a date
    }
  }

  private static ZonedDateTime parsed(@Nullable String date) {
    return ZonedDateTime.parse(date == null ? "" : date, DateTimeFormatter.RFC_1123_DATE_TIME);
  }
}
