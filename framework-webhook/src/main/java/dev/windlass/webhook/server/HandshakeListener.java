// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.function.Consumer;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;

/** Passes on the certificate of the server that a client has accepted. */
record HandshakeListener(Consumer<X509Certificate> accepted) implements SslHandshakeListener {

  @Override
  public void handshakeSucceeded(Event event) {
    Certificate[] own = event.getSSLEngine().getSession().getLocalCertificates();
    if (own != null && own.length > 0 && own[0] instanceof X509Certificate certificate) {
      accepted.accept(certificate);
    }
  }
}
