// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health.checks;

import dev.windlass.logging.OneLine;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes failure messages safe to return to any caller that can reach the health endpoint. The
 * result is one line of bounded length, without control characters, addresses or tokens. The
 * program is responsible for any other confidential content of its exception messages.
 */
public final class SafeCauseText {

  /** The maximum length of a cause, unless a built-in check reports it: 300 characters. */
  public static final int LONGEST = 300;

  /**
   * The maximum length of a cause that a built-in check reports: 2,000 characters. All messages are
   * truncated to this length before tokens and addresses are removed.
   */
  private static final int LONGEST_RAW = 2_000;

  private static final String GAP = "...";

  private static final Pattern TOKENS =
      Pattern.compile("(?i:bearer|basic)\\s+[^\\s,;]+|\\beyJ[\\w-]+\\.[\\w-]+(?:\\.[\\w-]*)?");

  private static final Pattern ADDRESSES =
      Pattern.compile(
          "\\b[a-z][a-z0-9+]*://[^\\s,;)'\"]+" // URLs
              + "|(?<![\\w.])\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d+)?(?![\\w.])" // IPv4
              + "|\\[[0-9a-fA-F]*:[0-9a-fA-F:.]*](?::\\d+)?" // IPv6 in brackets
              + "|(?<![\\w:])(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}(?![\\w:])" // IPv6
              + "|(?<![\\w:])[0-9a-fA-F:]{0,30}::[0-9a-fA-F:.]{1,30}(?![\\w:])" // IPv6,
              // shortened
              + "|(?<=UnknownHostException: )[^\\s,;)]+" // unknown hosts
              + "|\\b(?:localhost|[a-zA-Z][\\w-]*(?:\\.[\\w-]+)+):\\d{1,5}\\b"); // host:port

  /**
   * The pattern of an address in the JDK's format after {@code <address>} has replaced the IP
   * address: an optional host name, a slash and {@code <address>}.
   */
  private static final Pattern NAMED = Pattern.compile("[\\w.-]*/<address>");

  private SafeCauseText() {}

  /**
   * Returns the given message in one line, with tokens and addresses removed, truncated to {@link
   * #LONGEST}.
   */
  public static String clean(String text) {
    return clean(text, LONGEST);
  }

  private static String clean(String text, int longest) {
    String raw = text.length() > LONGEST_RAW ? text.substring(0, LONGEST_RAW) : text;
    String hidden = TOKENS.matcher(raw).replaceAll("<token>");
    hidden = ADDRESSES.matcher(hidden).replaceAll("<address>");
    hidden = NAMED.matcher(hidden).replaceAll("<address>");
    return shortened(hidden, longest);
  }

  /**
   * Returns a text in one line. If it is too long, omits its middle: a message of the API server
   * begins with the object, whose name can have 253 characters, and ends with the reason.
   */
  private static String shortened(String text, int longest) {
    if (text.length() <= longest) {
      return OneLine.of(text);
    }
    int end = text.length() - longest * 2 / 3;
    if (Character.isLowSurrogate(text.charAt(end))) {
      end++;
    }
    return OneLine.of(OneLine.cut(text, longest / 3) + GAP + text.substring(end));
  }

  /**
   * Returns a description of a failure. For an {@link UnhealthyException}, which only built-in
   * checks throw, the description is the message, truncated to 2,000 characters. This message can
   * contain causes for several caches or loops. For any other exception, the description consists
   * of the type and the message, truncated to {@link #LONGEST}.
   */
  public static String of(Throwable thrown) {
    String message = messageOf(thrown);
    if (thrown instanceof UnhealthyException) {
      return clean(String.valueOf(message), LONGEST_RAW);
    }
    String type = thrown.getClass().getSimpleName();
    String name = type.isEmpty() ? thrown.getClass().getName() : type;
    return clean(message == null || message.isEmpty() ? name : name + ": " + message);
  }

  /**
   * Returns the message, or null if {@code getMessage} throws an exception. A program's exception
   * class can override {@code getMessage}.
   */
  private static @Nullable String messageOf(Throwable thrown) {
    try {
      return thrown.getMessage();
    } catch (RuntimeException | Error e) {
      return null;
    }
  }
}
