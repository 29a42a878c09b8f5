// SPDX-License-Identifier: Apache-2.0
package dev.windlass.failure;

import java.io.IOException;
import java.util.Optional;

/** Determines from the exception of the transport why an API server did not respond. */
public final class TransportFailure {

  private TransportFailure() {}

  /**
   * Returns {@link FailureCause#TLS_NOT_TRUSTED} if a cause shows it, otherwise {@link
   * FailureCause#UNREACHABLE}.
   */
  public static FailureCause of(Throwable failure) {
    return TlsFailure.in(failure).isPresent()
        ? FailureCause.TLS_NOT_TRUSTED
        : FailureCause.UNREACHABLE;
  }

  /** Returns whether the network failed at all. */
  static boolean isKnown(Throwable failure) {
    return TlsFailure.in(failure).isPresent()
        || CauseChain.of(failure).anyMatch(TransportFailure::isOfNetwork);
  }

  /**
   * Returns what went wrong with TLS, in the words of the transport; empty if something else did.
   */
  public static Optional<String> tlsFailure(Throwable failure) {
    return TlsFailure.in(failure);
  }

  /**
   * Returns whether this is a network failure. Exceptions of JSON parsers are excluded, although
   * they are also {@link IOException}s.
   */
  private static boolean isOfNetwork(Throwable cause) {
    return cause instanceof IOException
        && !cause.getClass().getName().startsWith("com.fasterxml.jackson.");
  }
}
