// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tls;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A server's TLS certificate and key, which can be replaced while the server is running. Each
 * handshake uses the pair that is current when it begins. Until there is a first pair, handshakes
 * fail. This class is thread-safe.
 */
public final class ServerKeys {

  private final TlsMaterialHistory generations =
      new TlsMaterialHistory(new TlsMaterial(0, null, null));

  private volatile @Nullable X509Certificate certificate;

  /** Creates an instance without a certificate. */
  public ServerKeys() {}

  /**
   * Makes new connections use the given certificate. If this method throws an exception, the
   * previous certificate remains in use.
   *
   * @param chainPem the certificate, followed by the certificates that a client needs to verify it,
   *     as PEM
   * @param keyPem the certificate's key, as PEM without a password
   * @throws GeneralSecurityException if the content is not a certificate and its key
   */
  public synchronized void replace(String chainPem, String keyPem) throws GeneralSecurityException {
    generations.replace(TlsMaterial.ofServer(chainPem, keyPem, generations.next()));
    certificate = Pem.certificates(chainPem).get(0);
  }

  /** Returns the certificate that new connections use, or empty before the first one. */
  public Optional<X509Certificate> certificate() {
    return Optional.ofNullable(certificate);
  }

  /** Returns the key manager for a server's TLS context. It always presents the current pair. */
  public X509ExtendedKeyManager keyManager() {
    return new ReloadedKeys(generations::current, generations);
  }
}
