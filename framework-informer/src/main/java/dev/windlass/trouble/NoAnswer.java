// SPDX-License-Identifier: Apache-2.0
package dev.windlass.trouble;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Tells why no answer came from an API server, by what the transport threw. */
public final class NoAnswer {

  /** How deep causes are looked at: they may form a circle. */
  static final int MAX_CAUSES = 20;

  private NoAnswer() {}

  /** {@link Trouble#TLS_NOT_TRUSTED} if that is in the causes, {@link Trouble#UNREACHABLE} else. */
  public static Trouble of(Throwable failure) {
    return TlsFailure.in(failure).isPresent() ? Trouble.TLS_NOT_TRUSTED : Trouble.UNREACHABLE;
  }

  /** Whether a network failed at all. */
  static boolean isKnown(Throwable failure) {
    return TlsFailure.in(failure).isPresent() || isOrHasCause(failure, NoAnswer::isOfNetwork);
  }

  /** What went wrong with TLS, in the words of the transport; empty if something else did. */
  public static Optional<String> tlsFailure(Throwable failure) {
    return TlsFailure.in(failure);
  }

  /** Parsers of JSON throw a kind of these, too. */
  private static boolean isOfNetwork(Throwable cause) {
    return cause instanceof IOException
        && !cause.getClass().getName().startsWith("com.fasterxml.jackson.");
  }

  private static boolean isOrHasCause(Throwable failure, Predicate<Throwable> wanted) {
    @Nullable Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (wanted.test(cause)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
