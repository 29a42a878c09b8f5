// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.tls.Pem;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A certificate and its private key.
 *
 * @param certificate the certificate with the public key
 * @param key the private key. Messages and {@link #toString()} never contain it
 */
record SignedKey(X509Certificate certificate, PrivateKey key) {

  String certificatePem() {
    return Pem.of(List.of(certificate));
  }

  /** Returns the private key in PEM format. Callers must not log it. */
  String keyPem() {
    return Pem.of(key);
  }

  /** Returns the name and the expiry time of the certificate. The result never contains the key. */
  @Override
  public String toString() {
    return Certificates.describe(certificate);
  }
}
