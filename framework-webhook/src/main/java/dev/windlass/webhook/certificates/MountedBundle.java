// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.tls.Pem;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The CAs that the API server is to trust if something else creates the certificates: those in the
 * mounted file, and those that were trusted before and have not expired. After a change of the CA,
 * the kubelets update the files of the replicas one after the other, so for a while some replicas
 * present certificates of the former CA. All replicas compute the same bundle.
 */
final class MountedBundle {

  /** The most CAs in a bundle. The oldest ones are left out. */
  private static final int MOST = 5;

  private static final Comparator<X509Certificate> NEWEST_FIRST =
      Comparator.comparing(X509Certificate::getNotBefore)
          .reversed()
          .thenComparing(X509Certificate::getSerialNumber);

  private MountedBundle() {}

  /**
   * Returns the value of {@code caBundle}.
   *
   * @param pem the content of the mounted file
   * @param before the present values of {@code caBundle}; those that are not usable are ignored
   */
  static String of(String pem, Collection<String> before, Instant now) throws CertificateException {
    List<X509Certificate> mounted = Pem.certificates(pem);
    Set<X509Certificate> all = new LinkedHashSet<>(mounted);
    for (String bundle : before) {
      former(bundle).stream()
          .filter(authority -> authority.getNotAfter().toInstant().isAfter(now))
          .forEach(all::add);
    }
    List<X509Certificate> kept =
        all.stream().sorted(NEWEST_FIRST).limit(Math.max(MOST, mounted.size())).toList();
    return CertificateSet.encoded(Pem.of(kept.containsAll(mounted) ? kept : mounted));
  }

  private static List<X509Certificate> former(String bundle) {
    try {
      return bundle.isEmpty()
          ? List.of()
          : Pem.certificates(
              new String(Base64.getDecoder().decode(bundle), StandardCharsets.ISO_8859_1));
    } catch (CertificateException | IllegalArgumentException e) {
      return List.of(); // replaced by a usable one
    }
  }
}
