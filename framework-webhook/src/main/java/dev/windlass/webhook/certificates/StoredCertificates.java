// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * The certificates in a Secret. They can be incomplete or expired, and need not belong together.
 *
 * @param authority the CA; empty unless the Secret contains its certificate and the matching key
 * @param bundle the certificates of the current CA and of the former CAs, in this order; can be
 *     empty
 * @param serving the server's certificate; empty unless the Secret also contains the matching key
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
