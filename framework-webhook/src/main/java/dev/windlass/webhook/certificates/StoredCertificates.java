// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * The content of a Secret with certificates. It can be incomplete or expired, and its parts may not
 * belong together.
 *
 * @param authority the CA, if its certificate and its key are present and match
 * @param bundle the certificates of all CAs, the current one first; can be empty
 * @param serving the server's certificate, if it and its key are present and match
 */
record StoredCertificates(
    Optional<CertificateAuthority> authority,
    List<X509Certificate> bundle,
    Optional<ServingCertificate> serving) {

  /** A Secret without certificates. */
  static final StoredCertificates NONE =
      new StoredCertificates(Optional.empty(), List.of(), Optional.empty());

  /** Copies the list. */
  StoredCertificates {
    bundle = List.copyOf(bundle);
  }

  static StoredCertificates of(CertificateSet set) {
    return new StoredCertificates(
        Optional.of(set.authority()), set.bundle(), Optional.of(set.serving()));
  }
}
