// SPDX-License-Identifier: Apache-2.0
package dev.windlass.trouble;

import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Tells a server that is not trusted, or does not trust us, from one that can't be reached. The
 * transports wrap what happened in different ways, so all causes are looked at.
 */
final class TlsFailure {

  private TlsFailure() {}

  /** What went wrong with TLS; empty if something else did. */
  static Optional<String> in(Throwable failure) {
    String refused = null;
    boolean unanswered = false;
    int depth = 0;
    for (Throwable at = failure; at != null && depth < NoAnswer.MAX_CAUSES; at = at.getCause()) {
      depth++;
      if (at instanceof CertificateException || at instanceof SSLPeerUnverifiedException) {
        return Optional.of(said(at));
      }
      if (at.getClass() == SSLHandshakeException.class) {
        refused = said(at);
      } else if (refused != null && isNoRefusal(at)) {
        unanswered = true; // unless a certificate is named below
      }
    }
    return unanswered ? Optional.empty() : Optional.ofNullable(refused);
  }

  /**
   * Whether the handshake ended for a reason of the network: the connection broke, or the server
   * did not answer. Transports have subclasses of the JDK's exceptions for that, and wrap them in
   * one that is as for a refusal.
   */
  private static boolean isNoRefusal(Throwable cause) {
    boolean ofJdk = cause.getClass().getPackageName().equals(SSLException.class.getPackageName());
    return cause instanceof IOException && !(cause instanceof SSLException && ofJdk);
  }

  private static String said(Throwable at) {
    return at.getMessage() == null ? at.getClass().getSimpleName() : at.getMessage();
  }
}
