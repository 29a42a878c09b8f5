// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.manager.Manager;
import dev.windlass.tls.ServerKeys;
import dev.windlass.webhook.registration.RegistrationPermissions;
import dev.windlass.webhook.registration.WebhookRegistration;
import java.security.cert.X509Certificate;
import java.util.Optional;

/**
 * Certificates that the program itself creates and renews, without cert-manager. A controller in
 * the program's manager maintains them. This class is thread-safe.
 */
public final class ManagedCertificates implements TrustedCertificates {

  private final CertificateStatus status;

  /**
   * Adds the controller and the certificate metrics to a manager.
   *
   * @param keys the certificate and key that the server presents; the controller replaces them
   *     after each renewal
   */
  public ManagedCertificates(
      Manager manager,
      ServerKeys keys,
      WebhookRegistration registration,
      CertificateOptions options) {
    status = new CertificateStatus(keys, manager.clock());
    manager.uses(
        RegistrationPermissions.ofSecret(options.secret())
            .and(RegistrationPermissions.ofObjects(registration)));
    manager.add(new CertificateMeters(manager.meterRegistry(), status, () -> 0, () -> 0));
    CertificateReconciler reconciler =
        new CertificateReconciler(
            options.secret(),
            new CertificateRenewal(registration.target().subjects(), options.validity()),
            new BundleInjection(registration),
            keys,
            status,
            manager.eventRecorder(CertificateWatches.CONTROLLER),
            manager.clock());
    CertificateWatches.register(
        manager, reconciler, registration.objects(), Optional.of(options.secret()));
  }

  @Override
  public Optional<String> readiness() {
    return status.readiness();
  }

  @Override
  public Optional<String> problem() {
    return status.problem();
  }

  @Override
  public void accepted(X509Certificate certificate) {
    status.accepted(certificate);
  }
}
