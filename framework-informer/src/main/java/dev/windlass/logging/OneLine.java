// SPDX-License-Identifier: Apache-2.0
package dev.windlass.logging;

/**
 * Escapes strings from external sources for use in messages. The result is a single line. It
 * contains no control characters and no characters that change the text direction. Such characters
 * can occur in the names of some types, such as ClusterRole, and in the field names of custom
 * resources. If they were not escaped, they could be used to forge log lines.
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
   * Returns the given string with unsafe characters escaped. A string of more than {@code longest}
   * chars is first truncated to this length, and three dots are appended to the result.
   */
  public static String of(String text, int longest) {
    return text.length() <= longest ? of(text) : of(cut(text, longest)) + "...";
  }

  /**
   * Returns the given string, truncated to at most {@code longest} chars. Surrogate pairs are not
   * split.
   */
  public static String cut(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    boolean within = longest > 0 && Character.isHighSurrogate(text.charAt(longest - 1));
    return text.substring(0, within ? longest - 1 : longest);
  }

  /**
   * Returns a failure that is safe to log. Logging backends do not escape exception messages, and
   * stack traces contain the messages of all causes. If a message contains unsafe characters, this
   * method returns a copy of the failure with the same stack traces and escaped messages.
   * Otherwise, it returns the failure itself.
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
