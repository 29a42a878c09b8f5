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
    int depth = 0;
    for (Throwable at = failure; at != null && depth < NoAnswer.MAX_CAUSES; at = at.getCause()) {
      depth++;
      if (at instanceof CertificateException || at instanceof SSLPeerUnverifiedException) {
        return Optional.of(said(at));
      }
      // Subclasses of others stand for time-outs and closed connections.
      if (at.getClass() == SSLHandshakeException.class) {
        refused = said(at);
      } else if (refused != null && at instanceof IOException && !(at instanceof SSLException)) {
        return Optional.empty(); // the connection broke during the handshake
      }
    }
    return Optional.ofNullable(refused);
  }

  private static String said(Throwable at) {
    return at.getMessage() == null ? at.getClass().getSimpleName() : at.getMessage();
  }
}
