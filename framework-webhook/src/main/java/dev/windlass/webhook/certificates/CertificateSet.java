// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.tls.Pem;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;

/**
 * The certificates that all replicas share. A set is complete, and all its certificates are usable.
 *
 * @param authority the CA that signs new certificates
 * @param bundle the certificates that the API server must trust: that of the CA, followed by those
 *     of the former CAs under which replicas may still serve
 * @param serving the certificate that the servers present, with its key
 */
record CertificateSet(
    CertificateAuthority authority, List<X509Certificate> bundle, ServingCertificate serving) {

  /** Copies the list. */
  CertificateSet {
    bundle = List.copyOf(bundle);
  }

  /** Returns the identifier of the CA. */
  String authorityId() {
    return Certificates.id(authority.self().certificate());
  }

  /** Returns whether the bundle contains former CAs. */
  boolean isTurning() {
    return bundle.size() > 1;
  }

  /** Returns a copy whose bundle contains only the current CA. */
  CertificateSet trimmed() {
    return new CertificateSet(authority, List.of(authority.self().certificate()), serving);
  }

  String bundlePem() {
    return Pem.of(bundle);
  }

  /** Returns the value of {@code caBundle} in a client configuration. */
  String caBundle() {
    return encoded(bundlePem());
  }

  static String encoded(String pem) {
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns a description of the certificates. It never contains the keys. */
  @Override
  public String toString() {
    return serving + ", signed by " + authority;
  }
}
