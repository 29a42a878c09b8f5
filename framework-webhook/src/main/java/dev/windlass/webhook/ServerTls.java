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

/** Creates the TLS context of the webhook server. */
final class ServerTls {

  private ServerTls() {}

  /**
   * Returns a TLS context that always presents the current certificate of {@code keys}.
   *
   * @param clients the CAs that must have signed the clients' certificates; empty if clients need
   *     no certificate
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
