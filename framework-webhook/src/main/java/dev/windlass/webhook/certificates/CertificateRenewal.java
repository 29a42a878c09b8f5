// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Determines which certificates are due for renewal, and creates the new certificates.
 *
 * <p>When a CA is replaced, the former CA certifies the key of the new CA. The server presents this
 * cross-certificate together with its own certificate. An API server whose bundle contains the
 * former CA, the new CA or both then accepts the server's certificate. Therefore, bundles may reach
 * the API servers, and certificates may reach the replicas, in any order. The former CA stays in
 * the bundle, because some replicas may still present certificates that it has signed. {@link
 * ServingRecords} determines when it can be removed.
 *
 * <p>A replica that has just started does not know the key of the former CA. If the Secret was
 * deleted and this replica creates it again, the new bundle includes all CAs that the API server
 * currently trusts, because other replicas may serve under them. When another replica reads a new
 * CA that its own CA has not certified, it adds the cross-certificate.
 */
final class CertificateRenewal {

  /**
   * The maximum number of CAs in a bundle: 5. If the Secret is deleted repeatedly, a bundle could
   * exceed this limit. In this case, the oldest CAs are omitted.
   */
  static final int LONGEST_BUNDLE = 5;

  private final List<String> subjects;
  private final CertificateValidity validity;

  /**
   * Creates a renewal.
   *
   * @param subjects the DNS names and IP addresses of the server
   * @param validity the validity periods of new certificates
   */
  CertificateRenewal(List<String> subjects, CertificateValidity validity) {
    this.subjects = List.copyOf(subjects);
    this.validity = validity;
  }

  /**
   * Returns the time of the next change: the earliest time at which a certificate is due for
   * renewal or former CAs can be removed from the bundle.
   */
  Instant due(CertificateSet set, Instant now) {
    Instant authority = CertificateValidity.renewal(set.authority().self().certificate());
    Instant serving = CertificateValidity.renewal(set.serving().leaf());
    Instant due = authority.isBefore(serving) ? authority : serving;
    Instant overlapEnd = overlapEnd(set);
    return set.isTurning() && now.isBefore(overlapEnd) && overlapEnd.isBefore(due)
        ? overlapEnd
        : due;
  }

  /**
   * Returns the earliest time at which former CAs can be removed from the bundle. A further
   * condition is that all replicas serve under the new CA.
   */
  Instant overlapEnd(CertificateSet set) {
    return CertificateValidity.creation(set.authority().self().certificate())
        .plus(validity.overlap());
  }

  /**
   * Returns the certificates to use: the stored certificates, with replacements for those that are
   * due.
   *
   * @param stored the content of the Secret
   * @param remembered the certificates that this replica last used, or null. If the Secret no
   *     longer contains the key of the CA, or another replica has created a new CA, the CA of these
   *     certificates certifies the new CA
   * @param trusted the CAs that the API server trusts. If a new CA is created and the Secret does
   *     not contain the former CA, they are added to the bundle
   */
  CertificateSet renewed(
      StoredCertificates stored,
      @Nullable CertificateSet remembered,
      List<X509Certificate> trusted,
      Instant now) {
    Optional<CertificateAuthority> usable =
        stored.authority().filter(authority -> !isDue(authority.self().certificate(), now));
    if (usable.isEmpty()) {
      return turned(stored, remembered, trusted, now);
    }
    CertificateAuthority authority = usable.get();
    List<X509Certificate> former = new ArrayList<>(stored.bundle());
    List<X509Certificate> cross = new ArrayList<>(crossCertificates(stored));
    boolean isBridged = remembered != null && !isSuccessor(stored, authority, remembered, now);
    if (remembered != null && isBridged) {
      former.addAll(remembered.bundle());
      cross.add(remembered.authority().certify(authority.self().certificate()));
      cross.addAll(remembered.serving().crossCertificates());
    }
    List<X509Certificate> bundle = bundle(authority, former, now);
    Optional<ServingCertificate> serving =
        stored.serving().filter(present -> isUsable(present, authority, now));
    if (serving.isEmpty()) {
      return issued(authority, bundle, cross, now);
    }
    return new CertificateSet(
        authority,
        bundle,
        isBridged
            ? chained(serving.get().leaf(), serving.get().key(), bundle, cross, now)
            : serving.get());
  }

  /**
   * Returns whether clients that trust only the remembered CA accept the stored certificate.
   * Returns true if the remembered CA has expired, because such clients no longer accept any
   * certificate.
   */
  private static boolean isSuccessor(
      StoredCertificates stored,
      CertificateAuthority authority,
      CertificateSet remembered,
      Instant now) {
    X509Certificate former = remembered.authority().self().certificate();
    return former.equals(authority.self().certificate())
        || !CertificateValidity.isValid(former, now)
        || stored
            .serving()
            .filter(
                serving ->
                    CertificateChain.isTrusted(serving.chain(), remembered.trimmed().caBundle()))
            .isPresent();
  }

  private boolean isUsable(
      ServingCertificate serving, CertificateAuthority authority, Instant now) {
    return !isDue(serving.leaf(), now)
        && Certificates.isSignedBy(serving.leaf(), authority.self().certificate().getPublicKey())
        && SubjectNames.cover(serving.leaf(), subjects);
  }

  private static boolean isDue(X509Certificate certificate, Instant now) {
    return !CertificateValidity.isValid(certificate, now)
        || !now.isBefore(CertificateValidity.renewal(certificate));
  }

  /** Creates a new CA and returns the certificates to use with it. */
  private CertificateSet turned(
      StoredCertificates stored,
      @Nullable CertificateSet remembered,
      List<X509Certificate> trusted,
      Instant now) {
    CertificateAuthority next = CertificateAuthority.create(now, validity.authority());
    List<X509Certificate> former = new ArrayList<>(stored.bundle());
    List<X509Certificate> cross = new ArrayList<>();
    Optional<CertificateAuthority> predecessor =
        stored.authority().or(() -> Optional.ofNullable(remembered).map(CertificateSet::authority));
    predecessor
        .filter(old -> CertificateValidity.isValid(old.self().certificate(), now))
        .ifPresent(old -> cross.add(old.certify(next.self().certificate())));
    cross.addAll(crossCertificates(stored));
    if (remembered != null && stored.authority().isEmpty()) {
      former.addAll(remembered.bundle());
      cross.addAll(remembered.serving().crossCertificates());
    }
    if (stored.authority().isEmpty()) {
      trusted.stream().filter(ca -> ca.getBasicConstraints() >= 0).forEach(former::add);
    }
    return issued(next, bundle(next, former, now), cross, now);
  }

  private static List<X509Certificate> crossCertificates(StoredCertificates stored) {
    return stored.serving().map(ServingCertificate::crossCertificates).orElse(List.of());
  }

  private CertificateSet issued(
      CertificateAuthority authority,
      List<X509Certificate> bundle,
      List<X509Certificate> cross,
      Instant now) {
    SignedKey leaf = authority.issue(subjects, now, validity.serving());
    return new CertificateSet(
        authority, bundle, chained(leaf.certificate(), leaf.key(), bundle, cross, now));
  }

  /** Returns the server's certificate, followed by the cross-certificates that clients may need. */
  private static ServingCertificate chained(
      X509Certificate leaf,
      PrivateKey key,
      List<X509Certificate> bundle,
      List<X509Certificate> cross,
      Instant now) {
    List<X509Certificate> chain = new ArrayList<>(List.of(leaf));
    cross.stream()
        .distinct()
        .filter(certificate -> CertificateValidity.isValid(certificate, now))
        .filter(certificate -> isFromBundle(certificate, bundle))
        .forEach(chain::add);
    return new ServingCertificate(chain, key);
  }

  /**
   * Returns whether a CA in the bundle has signed a cross-certificate. Some API servers may trust
   * only this CA.
   */
  private static boolean isFromBundle(X509Certificate cross, List<X509Certificate> bundle) {
    return bundle.stream().anyMatch(ca -> Certificates.isSignedBy(cross, ca.getPublicKey()));
  }

  /**
   * Returns the bundle: the certificate of the CA, followed by those of the former CAs that have
   * not expired, without duplicates.
   */
  private static List<X509Certificate> bundle(
      CertificateAuthority authority, List<X509Certificate> former, Instant now) {
    Set<X509Certificate> bundle = new LinkedHashSet<>();
    bundle.add(authority.self().certificate());
    for (X509Certificate ca : former) {
      if (bundle.size() < LONGEST_BUNDLE && CertificateValidity.isValid(ca, now)) {
        bundle.add(ca);
      }
    }
    return List.copyOf(bundle);
  }
}
