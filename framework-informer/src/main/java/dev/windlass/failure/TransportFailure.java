// SPDX-License-Identifier: Apache-2.0
package dev.windlass.failure;

import java.io.IOException;
import java.util.Optional;

/** Determines from an exception of the HTTP transport why an API server did not respond. */
public final class TransportFailure {

  private TransportFailure() {}

  /**
   * Returns {@link FailureCause#TLS_NOT_TRUSTED} if the failure or one of its causes is a TLS
   * failure. Otherwise, returns {@link FailureCause#UNREACHABLE}.
   */
  public static FailureCause of(Throwable failure) {
    return TlsFailure.in(failure).isPresent()
        ? FailureCause.TLS_NOT_TRUSTED
        : FailureCause.UNREACHABLE;
  }

  /** Returns whether the failure is a TLS failure or another network failure. */
  static boolean isKnown(Throwable failure) {
    return TlsFailure.in(failure).isPresent()
        || CauseChain.of(failure).anyMatch(TransportFailure::isOfNetwork);
  }

  /** Returns the transport's description of the TLS failure, or empty for any other failure. */
  public static Optional<String> tlsFailure(Throwable failure) {
    return TlsFailure.in(failure);
  }

  /**
   * Returns whether the exception is a network failure. The exceptions of JSON parsers are
   * excluded, although they are also {@link IOException}s.
   */
  private static boolean isOfNetwork(Throwable cause) {
    return cause instanceof IOException
        && !cause.getClass().getName().startsWith("com.fasterxml.jackson.");
  }
}
