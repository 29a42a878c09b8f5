// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import dev.windlass.tls.ServerKeys;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Makes the TLS context of the server. */
final class ServerTls {

  private ServerTls() {}

  /**
   * Returns a context that presents the current certificate.
   *
   * @param clientAuthority the CAs of the clients, or empty if clients do not identify themselves
   * @throws IllegalArgumentException if the file can't be used; the message states the cause
   */
  static SSLContext context(ServerKeys keys, Optional<Path> clientAuthority) {
    try {
      TrustManager @Nullable [] trust =
          clientAuthority.isEmpty() ? null : trust(clientAuthority.get());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {keys.keyManager()}, trust, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(
          "the certificates of clients can't be verified by "
              + clientAuthority.map(Path::toString).orElse("this JVM")
              + ": "
              + e,
          e);
    }
  }

  private static TrustManager[] trust(Path file) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream pem = Files.newInputStream(file)) {
      int number = 0;
      for (Certificate authority :
          CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
        store.setCertificateEntry("ca-" + number, authority);
        number++;
      }
      if (number == 0) {
        throw new IOException("the file holds no certificate");
      }
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }
}
