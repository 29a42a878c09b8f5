// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.tls.Pem;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The certificate that a server presents to its clients, with its key.
 *
 * @param chain the server's certificate, followed by cross-certificates; see {@link
 *     CertificateAuthority#certify}
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
   * Returns the cross-certificates. They make clients that trust only a former CA accept the
   * server.
   */
  List<X509Certificate> crossCertificates() {
    return chain.subList(1, chain.size());
  }

  String chainPem() {
    return Pem.of(chain);
  }

  /** Returns the private key in PEM format. Callers must not log it. */
  String keyPem() {
    return Pem.of(key);
  }

  /** Returns a description of the certificate. It never contains the key. */
  @Override
  public String toString() {
    return Certificates.describe(leaf());
  }
}
