// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.logging.OneLine;
import java.util.concurrent.CompletionException;

/** Formats text written by others for our messages. */
final class QuotedText {

  /** The longest quotation of text written by others. */
  private static final int LONGEST = 256;

  /** The longest description of a failure: a quotation, and what to do about it. */
  private static final int LONGEST_SENTENCE = 800;

  private QuotedText() {}

  /** Returns the text in one line of bounded length. */
  static String oneLine(String text) {
    return OneLine.of(text, LONGEST);
  }

  /** Returns the failure of a failed response, without its wrapper. */
  static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** Describes a failure in one line. */
  static String of(Throwable failure) {
    String message = failure.getMessage();
    return OneLine.of(
        message == null ? failure.getClass().getSimpleName() : message, LONGEST_SENTENCE);
  }
}
