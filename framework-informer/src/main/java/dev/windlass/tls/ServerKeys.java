// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tls;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A server's TLS certificate and key, which can be replaced while the server is running. Each
 * handshake uses the pair that is current when the handshake begins. Before the first call to
 * {@link #replace}, all handshakes fail. This class is thread-safe.
 */
public final class ServerKeys {

  private final TlsMaterialHistory generations =
      new TlsMaterialHistory(new TlsMaterial(0, null, null));

  private volatile @Nullable X509Certificate certificate;

  public ServerKeys() {}

  /**
   * Replaces the certificate and the key for new connections. If this method throws an exception,
   * the previous certificate remains in use.
   *
   * @param chainPem the certificate, followed by the certificates that a client needs to verify it,
   *     in PEM format
   * @param keyPem the certificate's private key, in PEM format and without a password
   * @throws GeneralSecurityException if the certificate or the key is invalid, or if they do not
   *     match
   */
  public synchronized void replace(String chainPem, String keyPem) throws GeneralSecurityException {
    generations.replace(TlsMaterial.ofServer(chainPem, keyPem, generations.next()));
    certificate = Pem.certificates(chainPem).get(0);
  }

  /** Returns the certificate that new connections use, or empty if none has been set. */
  public Optional<X509Certificate> certificate() {
    return Optional.ofNullable(certificate);
  }

  /**
   * Returns a key manager for the server's TLS context. It always presents the current certificate.
   */
  public X509ExtendedKeyManager keyManager() {
    return new ReloadedKeys(generations::current, generations);
  }
}
