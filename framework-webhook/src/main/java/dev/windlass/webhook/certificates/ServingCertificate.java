// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.tls.Pem;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The certificate that the server presents to its clients, with its key.
 *
 * @param chain the server certificate, followed by the cross-certificates, which are certificates
 *     of its CA that former CAs have signed; see {@link CertificateAuthority#certify}
 * @param key the private key of the first certificate
 */
record ServingCertificate(List<X509Certificate> chain, PrivateKey key) {

  /** Copies the list. */
  ServingCertificate {
    chain = List.copyOf(chain);
  }

  /** Returns the server's own certificate. */
  X509Certificate leaf() {
    return chain.get(0);
  }

  /**
   * Returns the cross-certificates. Because of them, clients that trust only a former CA also
   * accept the server.
   */
  List<X509Certificate> crossCertificates() {
    return chain.subList(1, chain.size());
  }

  String chainPem() {
    return Pem.of(chain);
  }

  /** Returns the private key as PEM. Callers must never log the result. */
  String keyPem() {
    return Pem.of(key);
  }

  /** Returns a description of the certificate, but never the key. */
  @Override
  public String toString() {
    return Certificates.describe(leaf());
  }
}
