// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.logging.OneLine;
import java.util.concurrent.CompletionException;

/** Formats messages from other programs for log and exception messages. */
final class LogText {

  /** The maximum length of a quotation. */
  private static final int LONGEST = 256;

  /** The maximum length of a failure description, including a quotation and the remedy. */
  private static final int LONGEST_SENTENCE = 800;

  private LogText() {}

  static String oneLine(String text) {
    return OneLine.of(text, LONGEST);
  }

  /**
   * Returns the exception that caused a request to fail. If the given exception is a {@link
   * CompletionException}, returns its cause.
   */
  static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  static String of(Throwable failure) {
    String message = failure.getMessage();
    return OneLine.of(
        message == null ? failure.getClass().getSimpleName() : message, LONGEST_SENTENCE);
  }
}
