// SPDX-License-Identifier: Apache-2.0
package dev.windlass.failure;

import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Distinguishes an untrusted server, or one that does not trust this client, from one that can't be
 * reached. Transports wrap these failures in different ways, so this class examines the whole chain
 * of causes.
 */
final class TlsFailure {

  private TlsFailure() {}

  /** Returns a description of the TLS failure; empty for any other failure. */
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
   * Returns whether the handshake ended because of the network: the connection broke, or the server
   * did not respond. Transports have subclasses of the JDK's exceptions for that, and wrap them in
   * the exception that also reports a refusal.
   */
  private static boolean isNoRefusal(Throwable cause) {
    boolean ofJdk = cause.getClass().getPackageName().equals(SSLException.class.getPackageName());
    return cause instanceof IOException && !(cause instanceof SSLException && ofJdk);
  }

  private static String said(Throwable at) {
    return at.getMessage() == null ? at.getClass().getSimpleName() : at.getMessage();
  }
}
