// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A failure in the log, in place of one whose message, or a cause's, would forge lines there. */
final class EscapedThrowable extends Throwable {

  @Serial private static final long serialVersionUID = 1;

  /** How deep causes are looked at: they may form a circle. */
  private static final int MAX_CAUSES = 20;

  /** The most that is shown of each message, in characters before they are escaped. */
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

  /** As the failure itself would be printed; loggers that ask for the class see this one. */
  @Override
  @SuppressWarnings("OverrideThrowableToString") // the message is the text of another one
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
