// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.webhook.certificates.CertificateOptions;
import dev.windlass.webhook.certificates.CertificateValidity;
import dev.windlass.webhook.registration.AdmissionWebhook;
import dev.windlass.webhook.registration.ConversionWebhook;
import dev.windlass.webhook.registration.StartDependencies;
import dev.windlass.webhook.registration.WebhookRegistration;
import dev.windlass.webhook.registration.WebhookTarget;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of a {@link WebhookBuilder} that determine how the API server finds and trusts the
 * webhooks.
 */
final class RegistrationSettings {

  /** The name of the Service, or the name of the program if there is no Service. */
  private final String service;

  private final Optional<URI> address;
  final List<AdmissionWebhook> admission = new ArrayList<>();
  final List<ConversionWebhook> conversions = new ArrayList<>();
  Optional<String> namespace = Optional.empty();
  Optional<String> name = Optional.empty();
  Optional<String> secret = Optional.empty();
  Map<String, String> podLabels;
  CertificateValidity validity = CertificateValidity.DEFAULT;
  boolean injected;

  /**
   * Creates the default settings.
   *
   * @param service the name of the Service, or the name of the program if there is no Service
   * @param address the URL at which the API server calls the webhooks; empty if it calls them
   *     through the Service
   */
  RegistrationSettings(String service, Optional<URI> address) {
    this.service = service;
    this.address = address;
    this.podLabels = Map.of("app", service);
  }

  /** Returns the program's namespace. */
  private String namespace(Manager manager) {
    return namespace
        .or(
            () ->
                Optional.ofNullable(
                    manager.replicaKubernetesClient().getConfiguration().getNamespace()))
        .filter(present -> !present.isEmpty())
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the webhooks of "
                        + service
                        + " need a namespace, and the client has none: call inNamespace(...)"));
  }

  /**
   * Returns the webhooks to register with the API server.
   *
   * @throws IllegalArgumentException if the namespace is unknown, if the names or paths of the
   *     webhooks are not valid, or if a webhook would prevent the program from starting. The
   *     message states the remedy
   */
  WebhookRegistration registration(Manager manager) {
    String home = namespace(manager);
    WebhookTarget target =
        address
            .<WebhookTarget>map(WebhookTarget.UrlTarget::new)
            .orElseGet(() -> WebhookTarget.service(home, service));
    StartDependencies needed =
        new StartDependencies(home, podLabels, CertificateOptions.secretLabels());
    String watched = manager.informers().defaultScope().namespace();
    List<AdmissionWebhook> limited =
        admission.stream().map(webhook -> webhook.watching(watched)).toList();
    limited.forEach(needed::requireIndependent);
    return new WebhookRegistration(name.orElse(home + "-" + service), target, limited, conversions);
  }

  /** Returns the settings of the program's certificates. */
  CertificateOptions certificates(Manager manager) {
    return new CertificateOptions(
        ObjectKey.of(namespace(manager), secret.orElse(service + "-webhook-certificates")),
        validity);
  }

  @Override
  public String toString() {
    return "the webhooks of " + service;
  }
}
