// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.tls.Pem;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;

/** Determines whether a client with a CA bundle accepts a chain of certificates. */
final class CertificateChain {

  private CertificateChain() {}

  /**
   * Returns whether a client with the given bundle accepts the first certificate of a chain. This
   * method assumes that the client uses the other certificates as intermediates, in any order, as
   * Go does.
   *
   * @param caBundle the value of {@code caBundle} in a client configuration
   */
  static boolean isTrusted(List<X509Certificate> chain, String caBundle) {
    return isTrusted(chain.get(0), chain.subList(1, chain.size()), roots(caBundle));
  }

  /** Returns the value of {@code caBundle} for CA certificates. */
  static String encoded(List<X509Certificate> authorities) {
    return Base64.getEncoder()
        .encodeToString(Pem.of(authorities).getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Returns the CA certificates in a bundle, or an empty list if the bundle is not valid.
   *
   * @param caBundle the value of {@code caBundle} in a client configuration
   */
  static List<X509Certificate> roots(String caBundle) {
    try {
      String pem = new String(Base64.getDecoder().decode(caBundle), StandardCharsets.ISO_8859_1);
      return pem.isBlank() ? List.of() : Pem.certificates(pem);
    } catch (IllegalArgumentException | CertificateException e) {
      return List.of();
    }
  }

  private static boolean isTrusted(
      X509Certificate certificate,
      List<X509Certificate> intermediates,
      List<X509Certificate> roots) {
    return roots.stream()
            .anyMatch(root -> Certificates.isSignedBy(certificate, root.getPublicKey()))
        || intermediates.stream()
            .filter(next -> Certificates.isSignedBy(certificate, next.getPublicKey()))
            .anyMatch(
                next ->
                    isTrusted(
                        next,
                        intermediates.stream().filter(other -> !other.equals(next)).toList(),
                        roots));
  }
}
