// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.Manager;
import dev.windlass.tls.ServerKeys;
import dev.windlass.webhook.certificates.CertificateOptions;
import dev.windlass.webhook.certificates.ManagedCertificates;
import dev.windlass.webhook.certificates.MountedCertificates;
import dev.windlass.webhook.certificates.TrustedCertificates;
import dev.windlass.webhook.registration.WebhookManifests;
import dev.windlass.webhook.registration.WebhookRegistration;
import dev.windlass.webhook.server.ClientAuthorities;
import dev.windlass.webhook.server.WebhookPath;
import dev.windlass.webhook.server.WebhookServer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A program's webhooks. The manager starts them before its caches and stops them after the caches,
 * because the API server may have to call a conversion webhook to respond to a list request of a
 * cache.
 *
 * <p>The {@linkplain #manifests() manifests} make the API server call the webhooks. By default, the
 * replicas create, share and renew the certificates, and write the CA bundles into the webhook
 * configurations and CRDs. They also switch on the conversion of a CRD that has none.
 * Alternatively, the server can read certificates from a {@linkplain WebhookBuilder#certificatesIn
 * directory}.
 *
 * <p>The readiness check {@code webhooks} fails until the server accepts requests and the API
 * server trusts the server's certificate. It fails again as soon as the manager begins to stop. The
 * check {@code webhook-certificates} fails while the program cannot maintain the certificates, for
 * example because their Secret is damaged. This class is thread-safe.
 */
public final class Webhooks {

  /** The port on which the server listens by default: 9443, as in controller-runtime. */
  public static final int PORT = 9_443;

  private final WebhookServer server;
  private final ServingComponent serving;
  private final WebhookRegistration registration;
  private final Map<String, String> podLabels;
  private final int containerPort;
  private final TrustedCertificates certificates;
  private final Optional<HasMetadata> secret;

  Webhooks(WebhookBuilder settings, Manager manager) {
    List<WebhookPath> paths = settings.paths(manager.client().serialization());
    if (paths.isEmpty()) {
      throw new IllegalArgumentException(
          settings.registration + " need a validator, defaults or a conversion");
    }
    InformerOptions options = manager.informerOptions();
    registration = settings.registration.registration(manager);
    podLabels = settings.registration.podLabels;
    containerPort = settings.address.port() == 0 ? PORT : settings.address.port();
    ServerKeys keys;
    if (settings.certificates.isPresent()) {
      MountedCertificates mounted =
          new MountedCertificates(
              manager, settings.certificates.get(), registration, settings.registration.injected);
      keys = mounted.keys();
      secret = Optional.empty();
      certificates = mounted;
    } else {
      keys = new ServerKeys();
      CertificateOptions own = settings.registration.certificates(manager);
      certificates = new ManagedCertificates(manager, keys, registration, own);
      secret = Optional.of(own.emptySecret());
    }
    Optional<ClientAuthorities> clients = settings.clientAuthority.map(ClientAuthorities::new);
    clients.ifPresent(authorities -> manager.add(new ClientAuthorityReload(authorities, options)));
    server =
        new WebhookServer(
            settings.address,
            ServerTls.context(keys, clients),
            clients,
            paths,
            manager.meterRegistry(),
            options.scheduler(),
            options.threads());
    server.onHandshake(certificates::accepted);
    serving = new ServingComponent(server, settings.drain, options.scheduler());
    if (settings.certificates.isEmpty() || settings.registration.injected) {
      manager.add(new ConversionSwitch(manager.replicaClient().uncached(), registration));
    }
    manager.add("webhooks", serving);
    manager.add(serving.new StopNotice());
    manager.addReadyCheck("webhooks", this::checkReady);
    manager.addReadyCheck("webhook-certificates", () -> requireNone(certificates.problem()));
    manager.addManifests(manifests());
  }

  /**
   * Returns a builder for webhooks that the API server reaches through a Service.
   *
   * @param service the Service's name; see {@link WebhookBuilder#inNamespace} for its namespace
   */
  public static WebhookBuilder forService(String service) {
    return new WebhookBuilder(new RegistrationSettings(service, Optional.empty()));
  }

  /**
   * Returns a builder for the webhooks of a program that runs outside the cluster.
   *
   * @param name the program's name. The default names of the webhook configurations and of the
   *     Secret contain this name
   * @param address the URL at which the API server reaches the program, without a path, such as
   *     {@code https://10.0.0.1:9443}
   */
  public static WebhookBuilder forAddress(String name, URI address) {
    return new WebhookBuilder(new RegistrationSettings(name, Optional.of(address)));
  }

  /** Returns the port on which the server is listening, or empty if it is not listening. */
  public OptionalInt port() {
    return server.port();
  }

  /**
   * Returns the objects that make the API server call the webhooks: the Service, if there is one,
   * the webhook configurations, and a partial custom resource definition for each conversion. A
   * partial definition contains only the conversion. Apply it with server-side apply after the
   * complete definition. If the program creates its certificates, the result also contains an empty
   * Secret for them.
   *
   * <p>This method does not access the cluster. {@link Manager#manifests()} includes these objects,
   * and {@link Manager#permissions()} includes the permissions that the webhooks need.
   */
  public List<HasMetadata> manifests() {
    List<HasMetadata> manifests =
        new ArrayList<>(WebhookManifests.of(registration, podLabels, containerPort));
    secret.ifPresent(manifests::add);
    return manifests;
  }

  private void checkReady() {
    if (serving.isDraining()) {
      throw new IllegalStateException("the webhooks are stopping");
    }
    if (server.port().isEmpty()) {
      throw new IllegalStateException("the webhook server does not listen yet");
    }
    requireNone(certificates.readiness());
  }

  private static void requireNone(Optional<String> problem) {
    if (problem.isPresent()) {
      throw new IllegalStateException(problem.get());
    }
  }

  @Override
  public String toString() {
    return "the webhooks";
  }
}
