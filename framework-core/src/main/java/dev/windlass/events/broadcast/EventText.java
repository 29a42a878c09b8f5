// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import dev.windlass.logging.OneLine;
import org.jspecify.annotations.Nullable;

/**
 * Converts strings to a form that the API server accepts in Events. The result is one short line
 * without control characters. The server rejects an Event if a string exceeds its limit in bytes of
 * UTF-8.
 */
final class EventText {

  /** The maximum length of a note in bytes (kube-apiserver {@code validation/events.go}: 1 KiB). */
  static final int NOTE = 1024;

  /**
   * The maximum length of a reason, an action or an instance in bytes (kube-apiserver {@code
   * validation/events.go}: 128).
   */
  static final int WORD = 128;

  /** The replacement for a missing reason or action, because the server requires both. */
  private static final String NO_WORD = "Unspecified";

  private static final String CUT = "...";

  private EventText() {}

  /**
   * Truncates the given string to at most {@link #NOTE} bytes, for use as the note of an Event.
   * Returns an empty string if the given string is null.
   */
  static String note(@Nullable String text) {
    return text == null ? "" : fit(text, NOTE);
  }

  /**
   * Truncates the given string to at most {@link #WORD} bytes, for use as the reason, action or
   * reporting instance of an Event. Returns a placeholder if the string is null or blank.
   */
  static String word(@Nullable String text) {
    return text == null || text.isBlank() ? NO_WORD : fit(text, WORD);
  }

  /**
   * Escapes control characters, and truncates the result to the given number of bytes. A truncated
   * result ends with three dots. Truncation does not split a character or an escape sequence.
   */
  private static String fit(String text, int bytes) {
    StringBuilder fitting = new StringBuilder(Math.min(text.length(), bytes));
    int length = 0;
    int beforeDots = 0;
    for (int at = 0; at < text.length(); ) {
      int c = text.codePointAt(at);
      String piece = OneLine.of(Character.toString(c));
      length += piece.length() > 2 ? piece.length() : utf8Length(c);
      if (length > bytes) {
        fitting.setLength(beforeDots);
        return fitting.append(CUT).toString();
      }
      fitting.append(piece);
      if (length <= bytes - CUT.length()) {
        beforeDots = fitting.length();
      }
      at += Character.charCount(c);
    }
    return fitting.toString();
  }

  private static int utf8Length(int c) {
    if (c < 0x80) {
      return 1;
    }
    if (c < 0x800) {
      return 2;
    }
    return c < 0x10000 ? 3 : 4;
  }
}
