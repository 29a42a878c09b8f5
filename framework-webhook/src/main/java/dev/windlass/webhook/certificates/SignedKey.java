// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/**
 * A certificate and its private key.
 *
 * @param certificate the certificate with the public key
 * @param key the private key. Messages and {@link #toString()} never contain it
 */
record SignedKey(X509Certificate certificate, PrivateKey key) {

  /** Returns the name and the expiry time of the certificate. The result never contains the key. */
  @Override
  public String toString() {
    return Certificates.describe(certificate);
  }
}
