// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.webhook.certificates.CertificateSet.Next;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Determines which certificates the Secret must contain.
 *
 * <p>A new CA is first published: it is added to the bundle, and signs nothing. It replaces the CA
 * in use when all webhook configurations and CRDs have contained it for {@link
 * CertificateValidity#delay()}. By then, every API server trusts it. The former CA stays in the
 * bundle until it expires or is replaced by the next former one, because replicas serve under it
 * until they have read the new certificate.
 *
 * <p>A CA is used at once if the API server does not trust any other valid CA, because no request
 * could succeed otherwise. If the key of the CA in use is lost, the replicas continue to serve the
 * certificate that it has signed until the new CA is used.
 */
final class CertificateRenewal {

  /** The maximum number of CAs in a bundle: the CA in use, and the one before it. */
  static final int LONGEST_BUNDLE = 2;

  /**
   * The maximum number of CAs in a bundle while a new CA is published. If the Secret is lost
   * repeatedly, it is not known which of several CAs is in use. The newest ones are omitted,
   * because they were lost before they were used.
   */
  static final int LONGEST_WHILE_PUBLISHED = 5;

  private static final Comparator<X509Certificate> OLDEST_FIRST =
      Comparator.comparing(X509Certificate::getNotBefore)
          .thenComparing(X509Certificate::getSerialNumber);

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

  /** Returns the time of the next change, if each bundle contains each CA. */
  Instant due(CertificateSet set, Instant now) {
    Stream<Instant> authority =
        set.next().isPresent()
            ? Stream.of(use(set.next().get(), now))
            : set.authority().stream().map(ca -> renewal(ca.self()));
    Stream<Instant> serving =
        set.authority().isPresent() ? set.serving().stream().map(this::renewal) : Stream.empty();
    return Stream.concat(authority, serving).min(Comparator.naturalOrder()).orElse(now);
  }

  /** Returns the earliest time at which a published CA is used. */
  Instant use(Next next, Instant now) {
    return next.published().orElse(now).plus(validity.delay());
  }

  private Instant renewal(SignedKey key) {
    return CertificateValidity.renewal(key.certificate());
  }

  /**
   * Returns the content that the Secret must have.
   *
   * @param stored the current content
   * @param served the certificate that this replica serves; it is added to the Secret if the
   *     certificates there are lost
   * @param trusted the CAs in each webhook configuration and CRD. They are added to the bundle if
   *     the key of the CA in use is lost
   */
  CertificateSet renewed(
      CertificateSet stored,
      Optional<SignedKey> served,
      List<List<X509Certificate>> trusted,
      Instant now) {
    Optional<CertificateAuthority> authority =
        stored.authority().filter(ca -> isValid(ca.self(), now));
    Optional<Next> next = stored.next().filter(ca -> isValid(ca.authority().self(), now));
    Set<X509Certificate> known = new LinkedHashSet<>(stored.bundle());
    if (authority.isEmpty()) {
      trusted.forEach(known::addAll);
    }
    known.removeIf(ca -> !CertificateValidity.isValid(ca, now) || ca.getBasicConstraints() < 0);
    if (next.isEmpty() && authority.filter(ca -> now.isBefore(renewal(ca.self()))).isEmpty()) {
      CertificateAuthority created = CertificateAuthority.create(now, validity.authority());
      next = Optional.of(new Next(created, Optional.empty()));
    }
    if (next.isPresent()) {
      Next published = published(next.get(), trusted, now);
      if (isUsed(published, known, trusted, now)) {
        authority = Optional.of(published.authority());
        next = Optional.empty();
      } else {
        next = Optional.of(published);
      }
    }
    Optional<SignedKey> present =
        Stream.concat(stored.serving().stream(), served.stream())
            .filter(key -> isValid(key, now) && issuer(key, known).isPresent())
            .findFirst();
    Set<X509Certificate> bundle = new LinkedHashSet<>();
    authority.ifPresent(ca -> bundle.add(ca.self().certificate()));
    next.ifPresent(ca -> bundle.add(ca.authority().self().certificate()));
    present.flatMap(key -> issuer(key, known)).ifPresent(bundle::add);
    known.stream().sorted(OLDEST_FIRST).forEach(bundle::add);
    int most = next.isPresent() ? LONGEST_WHILE_PUBLISHED : LONGEST_BUNDLE;
    Optional<SignedKey> serving =
        authority
            .map(
                ca ->
                    stored
                        .serving()
                        .filter(key -> isUsable(key, ca, now))
                        .orElseGet(() -> issued(ca, now)))
            .or(() -> present);
    return new CertificateSet(authority, next, bundle.stream().limit(most).toList(), serving);
  }

  private static Next published(Next next, List<List<X509Certificate>> trusted, Instant now) {
    return next.published().isEmpty() && isInAll(next, trusted)
        ? new Next(next.authority(), Optional.of(now))
        : next;
  }

  private static boolean isInAll(Next next, List<List<X509Certificate>> trusted) {
    X509Certificate certificate = next.authority().self().certificate();
    return trusted.stream().allMatch(bundle -> bundle.contains(certificate));
  }

  private boolean isUsed(
      Next next, Set<X509Certificate> known, List<List<X509Certificate>> trusted, Instant now) {
    X509Certificate certificate = next.authority().self().certificate();
    return known.stream().allMatch(certificate::equals)
        || (isInAll(next, trusted) && !now.isBefore(use(next, now)));
  }

  private static Optional<X509Certificate> issuer(
      SignedKey key, Collection<X509Certificate> authorities) {
    return authorities.stream()
        .filter(ca -> Certificates.isSignedBy(key.certificate(), ca.getPublicKey()))
        .findFirst();
  }

  private static boolean isValid(SignedKey key, Instant now) {
    return CertificateValidity.isValid(key.certificate(), now);
  }

  private boolean isUsable(SignedKey serving, CertificateAuthority authority, Instant now) {
    return isValid(serving, now)
        && now.isBefore(renewal(serving))
        && issuer(serving, List.of(authority.self().certificate())).isPresent()
        && SubjectNames.cover(serving.certificate(), subjects);
  }

  private SignedKey issued(CertificateAuthority authority, Instant now) {
    return authority.issue(subjects, now, validity.serving());
  }
}
