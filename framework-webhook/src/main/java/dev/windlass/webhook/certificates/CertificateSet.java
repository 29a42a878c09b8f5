// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The certificates that all replicas share through the Secret.
 *
 * @param authority the CA that signs new server certificates; empty if its key is lost
 * @param next the CA that will replace it; empty if there is none
 * @param bundle the CAs that the API server must trust: those two, and former ones under which
 *     replicas may still serve
 * @param serving the certificate that the servers present, with its key; empty if there is none
 */
record CertificateSet(
    Optional<CertificateAuthority> authority,
    Optional<Next> next,
    List<X509Certificate> bundle,
    Optional<SignedKey> serving) {

  /** No certificates. */
  static final CertificateSet NONE =
      new CertificateSet(Optional.empty(), Optional.empty(), List.of(), Optional.empty());

  /**
   * A CA that does not sign server certificates yet.
   *
   * @param authority the CA
   * @param published the time since which all webhook configurations and CRDs contain the CA; empty
   *     if some of them do not
   */
  record Next(CertificateAuthority authority, Optional<Instant> published) {}

  /** Copies the list. */
  CertificateSet {
    bundle = List.copyOf(bundle);
  }

  /** Returns the value of {@code caBundle} in a client configuration. */
  String caBundle() {
    return CertificateChain.encoded(bundle);
  }

  /** Returns a description of the certificates. It never contains the keys. */
  @Override
  public String toString() {
    String serves = serving.map(SignedKey::toString).orElse("no server certificate");
    String signs = authority.map(ca -> ", signed by " + ca).orElse("");
    return serves + signs + next.map(ca -> ", to be followed by " + ca.authority()).orElse("");
  }
}
