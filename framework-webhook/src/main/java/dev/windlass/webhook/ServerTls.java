// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import dev.windlass.tls.ServerKeys;
import dev.windlass.webhook.server.ClientAuthorities;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** Creates the TLS context of the server. */
final class ServerTls {

  private ServerTls() {}

  /**
   * Returns a context that presents the current certificate.
   *
   * @param clients the CAs of the clients, or empty if clients need not present a certificate
   */
  static SSLContext context(ServerKeys keys, Optional<ClientAuthorities> clients) {
    TrustManager @Nullable [] trust = clients.isEmpty() ? null : new TrustManager[] {clients.get()};
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {keys.keyManager()}, trust, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("there is no TLS in this JVM", e);
    }
  }
}
