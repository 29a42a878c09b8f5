// SPDX-License-Identifier: Apache-2.0
package dev.windlass.failure;

import java.io.IOException;
import java.util.Optional;

/** Determines why an API server did not respond, based on the transport's exception. */
public final class TransportFailure {

  private TransportFailure() {}

  /**
   * Returns {@link FailureCause#TLS_NOT_TRUSTED} if a cause shows a TLS failure, and otherwise
   * {@link FailureCause#UNREACHABLE}.
   */
  public static FailureCause of(Throwable failure) {
    return TlsFailure.in(failure).isPresent()
        ? FailureCause.TLS_NOT_TRUSTED
        : FailureCause.UNREACHABLE;
  }

  /** Returns whether the failure is one of the network. */
  static boolean isKnown(Throwable failure) {
    return TlsFailure.in(failure).isPresent()
        || CauseChain.of(failure).anyMatch(TransportFailure::isOfNetwork);
  }

  /** Returns the transport's description of the TLS failure; empty for any other failure. */
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
