// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.tls.Pem;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;

/** Provides functions for certificates. */
final class Certificates {

  private Certificates() {}

  /** Returns whether the private key of the given public key has signed a certificate. */
  static boolean isSignedBy(X509Certificate certificate, PublicKey issuer) {
    try {
      certificate.verify(issuer);
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** Returns whether a private key belongs to the public key of a certificate. */
  static boolean match(X509Certificate certificate, PrivateKey key) {
    try {
      Pem.requireMatch(certificate, key);
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** Returns a description of a certificate for messages: the subject and the expiry time. */
  static String describe(X509Certificate certificate) {
    return certificate.getSubjectX500Principal().getName()
        + " (valid until "
        + certificate.getNotAfter().toInstant()
        + ")";
  }
}
