// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.object.OneLine;
import java.util.concurrent.CompletionException;

/** What others wrote, as it may stand in our messages. */
final class Wording {

  /** The most that is quoted of others. */
  private static final int LONGEST = 256;

  /** The most that is said of a failure: what somebody said, and what to do about it. */
  private static final int LONGEST_SENTENCE = 800;

  private Wording() {}

  /** One line of bounded length. */
  static String oneLine(String text) {
    return OneLine.of(text, LONGEST);
  }

  /** What a failed answer failed with. */
  static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** What went wrong, in a line. */
  static String of(Throwable failure) {
    String message = failure.getMessage();
    return OneLine.of(
        message == null ? failure.getClass().getSimpleName() : message, LONGEST_SENTENCE);
  }
}
