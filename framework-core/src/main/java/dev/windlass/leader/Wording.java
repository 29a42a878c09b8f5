// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.util.concurrent.CompletionException;

/** What others wrote, as it may stand in our messages. */
final class Wording {

  private static final int LONGEST = 256;

  private Wording() {}

  /** One line of bounded length, without control and format characters. */
  static String oneLine(String text) {
    String cut = text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
    return cut.replaceAll("[\\p{Cc}\\p{Cf}\u2028\u2029]+", " ");
  }

  /** What a failed answer failed with. */
  static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** What went wrong, in a line. */
  static String of(Throwable failure) {
    String message = failure.getMessage();
    return oneLine(message == null ? failure.getClass().getSimpleName() : message);
  }
}
