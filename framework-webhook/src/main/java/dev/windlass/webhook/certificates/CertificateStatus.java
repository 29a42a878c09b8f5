// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.tls.ServerKeys;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines whether this replica has a valid certificate that the API server trusts. The readiness
 * check and the metrics use this information. This class is thread-safe.
 */
final class CertificateStatus {

  private static final Logger log = LoggerFactory.getLogger(CertificateStatus.class);

  private static final Duration BETWEEN_WARNINGS = Duration.ofHours(1);

  private final ServerKeys keys;
  private final Clock clock;
  private volatile Optional<String> problem = Optional.empty();

  /** The reasons that {@link #untrusted} has set; null before the first call. */
  private volatile @Nullable List<String> untrusted;

  private volatile @Nullable Instant warned;
  private final AtomicLong handshakes = new AtomicLong();

  CertificateStatus(ServerKeys keys, Clock clock) {
    this.keys = keys;
    this.clock = clock;
  }

  /**
   * Sets the reason why the program cannot maintain the certificates, or empty if it can.
   *
   * @return whether the reason has changed
   */
  boolean problem(Optional<String> reason) {
    boolean isNew = !reason.equals(problem);
    problem = reason;
    return isNew;
  }

  /** Returns the reason that {@link #problem(Optional)} has set. */
  Optional<String> problem() {
    return problem;
  }

  /**
   * Sets the reasons why the API server does not trust the certificate. The list is empty if it
   * does.
   */
  void untrusted(List<String> reasons) {
    untrusted = List.copyOf(reasons);
  }

  /** Resets the number of handshakes, because the server now presents a new certificate. */
  void replaced() {
    handshakes.set(0);
  }

  /**
   * Records a handshake that a client has completed. A client that verifies certificates, as the
   * API server does, completes a handshake only if it accepts the server's certificate.
   */
  void accepted(X509Certificate certificate) {
    if (keys.certificate().filter(certificate::equals).isPresent()) {
      handshakes.incrementAndGet();
    }
  }

  /** Returns the number of handshakes that clients have completed with the current certificate. */
  long acceptedHandshakes() {
    return handshakes.get();
  }

  /**
   * Returns the remaining validity of the current certificate, or zero if there is no certificate.
   */
  Duration timeLeft() {
    return keys.certificate()
        .map(served -> Duration.between(clock.instant(), served.getNotAfter().toInstant()))
        .filter(left -> !left.isNegative())
        .orElse(Duration.ZERO);
  }

  /**
   * Returns the reason why the API server cannot call the webhooks of this replica, or empty if it
   * can. A failed renewal does not make the replica unready while its current certificate is valid
   * and trusted. This would only reduce the number of replicas that respond. It is a problem of the
   * check {@code webhook-certificates}, which the readiness probe does not run.
   */
  Optional<String> readiness() {
    Optional<X509Certificate> served = keys.certificate();
    if (served.isEmpty()) {
      return Optional.of("there is no certificate yet" + because());
    }
    Instant expiry = served.get().getNotAfter().toInstant();
    if (!clock.instant().isBefore(expiry)) {
      return Optional.of("the certificate has expired at " + expiry + because());
    }
    List<String> reasons = untrusted;
    if (reasons == null) {
      return problem.or(() -> Optional.of("the webhook configurations were not read yet"));
    }
    return reasons.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", reasons));
  }

  private String because() {
    return problem.map(": "::concat).orElse("");
  }

  /**
   * Logs a warning if the renewal of the current certificate is overdue. Logs at most one warning
   * per hour.
   */
  void warnOfExpiry() {
    Optional<X509Certificate> served = keys.certificate();
    Instant now = clock.instant();
    Instant last = warned;
    if (served.isEmpty()
        || now.isBefore(CertificateValidity.overdue(served.get()))
        || (last != null && now.isBefore(last.plus(BETWEEN_WARNINGS)))) {
      return;
    }
    warned = now;
    log.warn(
        "The certificate of the webhooks {} at {}, and was not renewed{}; after that time, the API"
            + " server rejects the requests that it should send to the webhooks",
        timeLeft().isZero() ? "expired" : "expires",
        served.get().getNotAfter().toInstant(),
        because());
  }
}
