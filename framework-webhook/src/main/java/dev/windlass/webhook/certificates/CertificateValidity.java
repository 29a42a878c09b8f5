// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.scheduling.DurationText;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/**
 * The validity periods of certificates. As with the defaults of cert-manager, the replicas renew a
 * certificate when a third of its validity period is left.
 *
 * @param authority the validity period of a CA
 * @param serving the validity period of a server certificate
 * @param delay the time between the publication of a new CA and its use. During this time, every
 *     API server must learn of the new bundle
 */
public record CertificateValidity(Duration authority, Duration serving, Duration delay) {

  /** How long a certificate is backdated, for clients whose clocks are slow: 1 h. */
  static final Duration BACKDATED = Duration.ofHours(1);

  private static final Duration SHORTEST = Duration.ofHours(1);
  private static final Duration LONGEST = Duration.ofDays(3650);

  /**
   * The minimum ratio of a CA's validity period to that of a server certificate. It ensures that a
   * CA does not expire before the certificates that it signs.
   */
  private static final int RATIO = 3;

  /**
   * The default validity: 2 years for a CA, 90 days for a server certificate, and a delay of 10
   * min.
   */
  public static final CertificateValidity DEFAULT =
      new CertificateValidity(Duration.ofDays(730), Duration.ofDays(90), Duration.ofMinutes(10));

  /**
   * Checks the periods.
   *
   * @throws IllegalArgumentException if {@code serving} is less than 1 h, if {@code authority} is
   *     less than three times {@code serving} or more than 3,650 days, or if {@code delay} is
   *     negative
   */
  public CertificateValidity {
    if (serving.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException(
          "a certificate that is valid for "
              + DurationText.of(serving)
              + " would not survive an outage of the API server: use at least 1 h");
    }
    if (authority.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a CA can't be valid for " + DurationText.of(authority) + ": use at most 3,650 days");
    }
    if (authority.dividedBy(RATIO).compareTo(serving) < 0) {
      throw new IllegalArgumentException(
          "a CA that is valid for "
              + DurationText.of(authority)
              + " can't sign certificates that are valid for "
              + DurationText.of(serving)
              + ": make it valid for at least three times as long");
    }
    if (delay.isNegative()) {
      throw new IllegalArgumentException("a new CA can't be used before it is published");
    }
  }

  /** Returns the time at which a certificate was created. */
  static Instant creation(X509Certificate certificate) {
    return certificate.getNotBefore().toInstant().plus(BACKDATED);
  }

  /**
   * Returns the time at which a certificate is due for renewal. At this time, a third of the
   * validity period is left.
   */
  static Instant renewal(X509Certificate certificate) {
    return beforeExpiry(certificate, 3);
  }

  /**
   * Returns the time at which the renewal of a certificate is overdue. At this time, a sixth of the
   * validity period is left.
   */
  static Instant overdue(X509Certificate certificate) {
    return beforeExpiry(certificate, 6);
  }

  private static Instant beforeExpiry(X509Certificate certificate, int part) {
    Instant expiry = certificate.getNotAfter().toInstant();
    Duration lifetime = Duration.between(creation(certificate), expiry);
    return expiry.minus((lifetime.isNegative() ? Duration.ZERO : lifetime).dividedBy(part));
  }

  /** Returns whether a certificate is valid at the given time. */
  static boolean isValid(X509Certificate certificate, Instant now) {
    return !now.isBefore(certificate.getNotBefore().toInstant())
        && now.isBefore(certificate.getNotAfter().toInstant());
  }
}
