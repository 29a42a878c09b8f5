// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.manager.ManagedComponent;
import dev.windlass.manager.Phase;
import dev.windlass.metrics.Meters;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/** The metrics of the certificate that the server of the webhooks presents, while it runs. */
final class CertificateMeters implements ManagedComponent {

  private final Meters meters;
  private final CertificateStatus status;

  CertificateMeters(MeterRegistry registry, CertificateStatus status) {
    this.meters = new Meters(registry);
    this.status = status;
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
