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
    if (isHarmless(text)) {
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
    return text.length() <= longest ? of(text) : of(cut(text, longest)) + "...";
  }

  /** The beginning of a text of so many chars at most, which does not end within a character. */
  public static String cut(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    boolean within = longest > 0 && Character.isHighSurrogate(text.charAt(longest - 1));
    return text.substring(0, within ? longest - 1 : longest);
  }

  /**
   * A failure as it may be logged. Backends write messages of exceptions as they are, and stack
   * traces repeat those of all causes; so what has a harmful one is shown by a copy, with the same
   * places in the code, whose messages are escaped. Any other is returned itself.
   */
  public static Throwable of(Throwable failure) {
    return EscapedThrowable.of(failure);
  }

  static boolean isHarmless(String text) {
    return text.codePoints().noneMatch(OneLine::isHarmful);
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
