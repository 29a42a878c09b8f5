// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/**
 * A certificate and its private key.
 *
 * @param certificate the certificate that contains the public key
 * @param key the key, which never appears in descriptions or messages
 */
record SignedKey(X509Certificate certificate, PrivateKey key) {

  /** Returns the name and the expiry of the certificate, but never the key. */
  @Override
  public String toString() {
    return Certificates.describe(certificate);
  }
}
