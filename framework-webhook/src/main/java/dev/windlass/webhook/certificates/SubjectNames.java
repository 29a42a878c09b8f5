// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.util.IPAddress;

/**
 * Encodes and checks the DNS names and IP addresses in a server certificate. A client accepts the
 * certificate only if it contains the name or address to which the client has connected.
 */
final class SubjectNames {

  private SubjectNames() {}

  static GeneralNames encode(List<String> subjects) {
    return new GeneralNames(subjects.stream().map(SubjectNames::name).toArray(GeneralName[]::new));
  }

  private static GeneralName name(String subject) {
    return new GeneralName(
        IPAddress.isValid(subject) ? GeneralName.iPAddress : GeneralName.dNSName, subject);
  }

  /** Returns whether a certificate contains all the given DNS names and IP addresses. */
  static boolean cover(X509Certificate certificate, List<String> subjects) {
    Set<GeneralName> wanted = new HashSet<>(List.of(encode(subjects).getNames()));
    try {
      Collection<List<?>> present = certificate.getSubjectAlternativeNames();
      if (present != null) {
        for (List<?> each : present) {
          if (each.get(1) instanceof String text) {
            wanted.remove(new GeneralName((Integer) each.get(0), text));
          }
        }
      }
    } catch (CertificateParsingException e) {
      return false;
    }
    return wanted.isEmpty();
  }
}
