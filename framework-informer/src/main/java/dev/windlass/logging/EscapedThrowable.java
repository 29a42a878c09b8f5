// SPDX-License-Identifier: Apache-2.0
package dev.windlass.logging;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a failure with escaped messages. It replaces the failure in the log if the message of
 * the failure or of one of its causes is too long or could forge log lines.
 */
final class EscapedThrowable extends Throwable {

  @Serial private static final long serialVersionUID = 1;

  /**
   * The maximum number of nested causes that are examined. The limit is necessary because causes
   * can form a cycle.
   */
  private static final int MAX_CAUSES = 20;

  /** The maximum length of each message, in characters before escaping. */
  private static final int LONGEST = 2048;

  private EscapedThrowable(Throwable failure, int depth) {
    super(OneLine.of(failure.toString(), LONGEST), of(failure.getCause(), depth + 1));
    setStackTrace(failure.getStackTrace());
    for (Throwable suppressed : failure.getSuppressed()) {
      Throwable shown = of(suppressed, depth + 1);
      if (shown != null) {
        addSuppressed(shown);
      }
    }
  }

  /**
   * Returns the escaped string representation of the original failure. Loggers that call {@link
   * #getClass} print the name of this class instead.
   */
  @Override
  @SuppressWarnings("OverrideThrowableToString") // the message is the text of the original
  public String toString() {
    return String.valueOf(getMessage());
  }

  static Throwable of(Throwable failure) {
    return isHarmless(failure, 0) ? failure : new EscapedThrowable(failure, 0);
  }

  private static @Nullable Throwable of(@Nullable Throwable failure, int depth) {
    return failure == null || depth > MAX_CAUSES ? null : new EscapedThrowable(failure, depth);
  }

  private static boolean isHarmless(@Nullable Throwable failure, int depth) {
    if (failure == null || depth > MAX_CAUSES) {
      return true;
    }
    for (Throwable suppressed : failure.getSuppressed()) {
      if (!isHarmless(suppressed, depth + 1)) {
        return false;
      }
    }
    String shown = failure.toString();
    return shown.length() <= LONGEST
        && OneLine.isHarmless(shown)
        && isHarmless(failure.getCause(), depth + 1);
  }
}
