// SPDX-License-Identifier: Apache-2.0
package dev.windlass.failure;

import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Detects TLS failures, in which the client or the server does not trust the other side, and
 * distinguishes them from failures to reach the server. Transports wrap these failures in different
 * ways, so this class examines the whole chain of causes.
 */
final class TlsFailure {

  private TlsFailure() {}

  /** Returns a description of the TLS failure, or empty for any other failure. */
  static Optional<String> in(Throwable failure) {
    String refused = null;
    boolean unanswered = false;
    for (Throwable at : CauseChain.of(failure).toList()) {
      if (at instanceof CertificateException || at instanceof SSLPeerUnverifiedException) {
        return Optional.of(said(at));
      }
      if (at.getClass() == SSLHandshakeException.class) {
        refused = said(at);
      } else if (refused != null && isNoRefusal(at)) {
        unanswered = true; // unless a deeper cause names a certificate
      }
    }
    return unanswered ? Optional.empty() : Optional.ofNullable(refused);
  }

  /**
   * Returns whether the handshake ended without a rejection, because the connection broke or the
   * server did not respond. Transports report this with subclasses of the JDK's exceptions. They
   * wrap these exceptions in the type of exception that also reports a rejected handshake.
   */
  private static boolean isNoRefusal(Throwable cause) {
    boolean ofJdk = cause.getClass().getPackageName().equals(SSLException.class.getPackageName());
    return cause instanceof IOException && !(cause instanceof SSLException && ofJdk);
  }

  private static String said(Throwable at) {
    return at.getMessage() == null ? at.getClass().getSimpleName() : at.getMessage();
  }
}
