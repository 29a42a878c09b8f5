// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.manager.ManagedComponent;
import dev.windlass.manager.Phase;
import dev.windlass.metrics.Meters;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Registers the metrics of the webhook server's certificate, and removes them when the manager
 * stops.
 */
final class CertificateMeters implements ManagedComponent {

  private final Meters meters;
  private final CertificateStatus status;
  private final LongSupplier reads;
  private final LongSupplier failures;

  /**
   * Creates the component without registering the metrics.
   *
   * @param reads returns how many times the certificate was read from files
   * @param failures returns how many of these reads have failed
   */
  CertificateMeters(
      MeterRegistry registry, CertificateStatus status, LongSupplier reads, LongSupplier failures) {
    this.meters = new Meters(registry);
    this.status = status;
    this.reads = reads;
    this.failures = failures;
  }

  @Override
  public Phase phase() {
    return Phase.WEBHOOKS;
  }

  @Override
  public void start() {
    meters.seconds(
        "windlass_webhook_certificate_seconds_left",
        "How long the certificate of the webhook server remains valid",
        status::timeLeft);
    meters.gauge(
        "windlass_webhook_certificate_accepted_handshakes",
        "TLS handshakes that clients have completed under the current certificate",
        status::acceptedHandshakes);
    meters.count(
        "windlass_webhook_certificate_reads_total",
        "Times that the certificate of the webhook server was read from files",
        reads::getAsLong);
    meters.count(
        "windlass_webhook_certificate_read_errors_total",
        "Times that the certificate of the webhook server could not be read or used",
        failures::getAsLong);
  }

  @Override
  public boolean stop(Duration limit) {
    meters.close();
    return true;
  }

  @Override
  public String toString() {
    return "the metrics of the webhook certificate";
  }
}
