// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Issues certificates for servers whose clients do not verify them. framework-webhook provides the
 * implementation, because this module has no code that creates certificates.
 */
public interface CertificateIssuer {

  /**
   * A certificate and its key, both in PEM format.
   *
   * @param chain the certificate
   * @param key the private key
   */
  record Issued(String chain, String key) {
    @Override
    public String toString() {
      return "a certificate"; // never the key
    }
  }

  /** Generates a key and issues a certificate for it. */
  Issued issue(Instant now, Duration validity);

  /** Returns the issuer on the class path, or empty if framework-webhook is not there. */
  static Optional<CertificateIssuer> find() {
    return ServiceLoader.load(CertificateIssuer.class, CertificateIssuer.class.getClassLoader())
        .findFirst();
  }
}
