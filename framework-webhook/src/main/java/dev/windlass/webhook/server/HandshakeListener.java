// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;

/**
 * Checks the client after each handshake, and reports the server certificate that was used.
 *
 * @param clients the client CAs; empty if clients do not need a certificate
 * @param accepted the consumer of the server certificate
 */
record HandshakeListener(Optional<ClientAuthorities> clients, Consumer<X509Certificate> accepted)
    implements SslHandshakeListener {

  @Override
  public void handshakeSucceeded(Event event) throws SSLException {
    SSLSession session = event.getSSLEngine().getSession();
    if (clients.isPresent()) {
      clients.get().requireTrusted(session);
    }
    Certificate[] own = session.getLocalCertificates();
    if (own != null && own.length > 0 && own[0] instanceof X509Certificate certificate) {
      accepted.accept(certificate);
    }
  }
}
