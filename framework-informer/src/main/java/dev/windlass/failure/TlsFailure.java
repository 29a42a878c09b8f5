// SPDX-License-Identifier: Apache-2.0
package dev.windlass.failure;

import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Detects TLS failures. In a TLS failure, the client does not trust the server or the server does
 * not trust the client. This class distinguishes such failures from failures to reach the server.
 * It examines the whole chain of causes, because HTTP transports wrap TLS failures in different
 * ways.
 */
final class TlsFailure {

  private TlsFailure() {}

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
   * Returns whether the exception shows that the handshake ended without a rejection. This is the
   * case if the connection broke or the server did not respond. HTTP transports report these
   * failures with their own subclasses of the JDK's exceptions, and wrap them in the same type of
   * exception that reports a rejected handshake.
   */
  private static boolean isNoRefusal(Throwable cause) {
    boolean ofJdk = cause.getClass().getPackageName().equals(SSLException.class.getPackageName());
    return cause instanceof IOException && !(cause instanceof SSLException && ofJdk);
  }

  private static String said(Throwable at) {
    return at.getMessage() == null ? at.getClass().getSimpleName() : at.getMessage();
  }
}
