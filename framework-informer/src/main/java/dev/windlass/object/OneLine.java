// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

/**
 * Text that others wrote, as it may stand in a message: one line, without control characters and
 * those that turn the direction of writing. Some types allow all of these in names (ClusterRole),
 * and custom resources in keys; unchanged, they would forge lines of the log.
 */
public final class OneLine {

  private OneLine() {}

  /** The text with {@code \}{@code u001b} in place of an escape character, and so on. */
  public static String of(String text) {
    if (text.codePoints().noneMatch(OneLine::isHarmful)) {
      return text;
    }
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              if (isHarmful(c)) {
                for (char unit : Character.toChars(c)) {
                  escaped.append("\\u%04x".formatted((int) unit));
                }
              } else {
                escaped.appendCodePoint(c);
              }
            });
    return escaped.toString();
  }

  /** The same, cut off if it is longer. */
  public static String of(String text, int longest) {
    return text.length() <= longest ? of(text) : of(text.substring(0, longest)) + "...";
  }

  private static boolean isHarmful(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }
}
