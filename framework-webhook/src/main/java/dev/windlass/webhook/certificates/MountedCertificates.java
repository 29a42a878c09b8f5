// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.httpserver.ServerCertificate;
import dev.windlass.manager.Manager;
import dev.windlass.tls.ServerKeys;
import dev.windlass.webhook.registration.RegistrationPermissions;
import dev.windlass.webhook.registration.WebhookRegistration;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * A certificate that is read from a directory. Another program, such as cert-manager, creates and
 * renews it. This class is thread-safe.
 */
public final class MountedCertificates implements TrustedCertificates {

  private final ServerKeys keys;
  private final CertificateStatus status;

  /**
   * Adds the component that reads the directory to a manager.
   *
   * @param injected whether to write the CA certificates in {@code ca.crt} into the webhook
   *     configurations
   */
  public MountedCertificates(
      Manager manager, Path directory, WebhookRegistration registration, boolean injected) {
    CertificateFiles files = new CertificateFiles(directory, manager.informerOptions());
    ServerCertificate certificate = files.certificate();
    keys = certificate.keys();
    status = new CertificateStatus(keys, manager.clock());
    manager.add("webhook-certificate", files);
    manager.add(
        new CertificateMeters(
            manager.meterRegistry(), status, certificate::reads, certificate::failures));
    if (injected) {
      manager.uses(RegistrationPermissions.ofObjects(registration));
      CertificateWatches.register(
          manager,
          new MountedAuthorityReconciler(
              directory, new BundleInjection(registration), status, manager.clock()),
          registration.objects(),
          Optional.empty());
    } else {
      status.untrusted(List.of()); // cert-manager's cainjector writes the bundles
    }
  }

  /** Returns the keys for the server. */
  public ServerKeys keys() {
    return keys;
  }

  @Override
  public Optional<String> readiness() {
    status.warnOfExpiry();
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
