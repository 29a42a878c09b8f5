// SPDX-License-Identifier: Apache-2.0
package dev.windlass.logging;

/**
 * Makes external strings safe for messages. The result is one line, without control characters and
 * without characters that change the text direction. Some types, such as ClusterRole, allow these
 * characters in names, and custom resources allow them in keys. Without escapes, they could forge
 * log lines.
 */
public final class OneLine {

  private OneLine() {}

  /**
   * Returns the given string with each unsafe character escaped, for example {@code \}{@code u001b}
   * for an escape character.
   */
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

  /**
   * Returns the given string with unsafe characters escaped. If the string is longer than {@code
   * longest} chars before it is escaped, it is truncated to this length, and three dots are
   * appended.
   */
  public static String of(String text, int longest) {
    return text.length() <= longest ? of(text) : of(cut(text, longest)) + "...";
  }

  /**
   * Returns at most the first {@code longest} chars of the given string, without splitting a
   * character.
   */
  public static String cut(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    boolean within = longest > 0 && Character.isHighSurrogate(text.charAt(longest - 1));
    return text.substring(0, within ? longest - 1 : longest);
  }

  /**
   * Returns a failure that is safe to log. Logging backends write exception messages unescaped, and
   * stack traces contain the messages of all causes. If one of the messages is unsafe, this method
   * returns a copy with the same stack traces and escaped messages. Otherwise, it returns the
   * failure itself.
   */
  public static Throwable of(Throwable failure) {
    return EscapedThrowable.of(failure);
  }

  static boolean isHarmless(String text) {
    // A loop is used instead of a stream, because each reconcile checks two names, which are ASCII.
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        return text.codePoints().noneMatch(OneLine::isHarmful);
      }
    }
    return true;
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
