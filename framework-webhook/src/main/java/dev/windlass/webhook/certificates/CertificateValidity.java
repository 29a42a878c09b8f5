// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.scheduling.DurationText;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/**
 * The validity periods of certificates. The replicas renew a certificate when a third of its period
 * is left (cert-manager's default).
 *
 * @param authority how long a CA is valid
 * @param serving how long a server certificate is valid
 * @param overlap the minimum time for which a former CA remains trusted, because a replica that has
 *     just started may not have recorded its CA yet
 */
public record CertificateValidity(Duration authority, Duration serving, Duration overlap) {

  /**
   * How long before its creation a certificate becomes valid, for clients with slow clocks: 1 h.
   */
  static final Duration BACKDATED = Duration.ofHours(1);

  private static final Duration SHORTEST = Duration.ofHours(1);
  private static final Duration LONGEST = Duration.ofDays(3650);

  /**
   * The minimum ratio of a CA's validity to that of a server certificate, so that a CA outlasts the
   * certificates that it has signed.
   */
  private static final int RATIO = 3;

  /**
   * The defaults: 2 years for a CA, 90 days for a server certificate, and 10 min for the overlap.
   */
  public static final CertificateValidity DEFAULT = of(Duration.ofDays(730), Duration.ofDays(90));

  /**
   * Checks the periods.
   *
   * @throws IllegalArgumentException if the server's certificate is valid for less than 1 h, or the
   *     CA for less than three times as long or for more than 10 years, or if the overlap is
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
    if (overlap.isNegative()) {
      throw new IllegalArgumentException(
          "a former CA can't remain trusted for " + DurationText.of(overlap));
    }
  }

  /** Returns the given periods with an overlap of 10 min. */
  public static CertificateValidity of(Duration authority, Duration serving) {
    return new CertificateValidity(authority, serving, Duration.ofMinutes(10));
  }

  /** Returns when a certificate was created. */
  static Instant creation(X509Certificate certificate) {
    return certificate.getNotBefore().toInstant().plus(BACKDATED);
  }

  /**
   * Returns the time at which a certificate is due for renewal: when a third of its period is left.
   */
  static Instant renewal(X509Certificate certificate) {
    return beforeExpiry(certificate, 3);
  }

  /** Returns the time at which a renewal is overdue: when a sixth of the period is left. */
  static Instant overdue(X509Certificate certificate) {
    return beforeExpiry(certificate, 6);
  }

  private static Instant beforeExpiry(X509Certificate certificate, int part) {
    Instant expiry = certificate.getNotAfter().toInstant();
    Duration lifetime = Duration.between(creation(certificate), expiry);
    return expiry.minus((lifetime.isNegative() ? Duration.ZERO : lifetime).dividedBy(part));
  }

  /** Returns whether a certificate is valid now. */
  static boolean isValid(X509Certificate certificate, Instant now) {
    return !now.isBefore(certificate.getNotBefore().toInstant())
        && now.isBefore(certificate.getNotAfter().toInstant());
  }
}
