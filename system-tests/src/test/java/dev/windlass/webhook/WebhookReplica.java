// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import dev.windlass.health.HealthCheck;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.testsupport.TrustEverything;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** One replica of a program with webhooks, in this JVM. */
final class WebhookReplica implements AutoCloseable {

  static final String PROGRAM = "hooks";
  static final String SECRET = "hooks-webhook-certificates";
  static final String CONFIGURATION = "default-hooks";

  final Manager manager;
  final Webhooks webhooks;

  /**
   * Starts a replica, or only builds it.
   *
   * @param name the name of the replica
   * @param address where the API server reaches all replicas
   */
  WebhookReplica(
      String name,
      Config config,
      String address,
      UnaryOperator<ManagerBuilder> settings,
      Consumer<WebhookBuilder> declarations,
      Consumer<Manager> program) {
    manager = settings.apply(Manager.builder().config(config)).build();
    WebhookBuilder builder =
        Webhooks.forAddress(PROGRAM, URI.create(address))
            .inNamespace("default")
            .bindAddress("127.0.0.1:0")
            .drainTime(Duration.ofSeconds(2));
    builder
        .certificateDelay(Duration.ofSeconds(5))
        .certificateValidity(Duration.ofDays(30), Duration.ofDays(3));
    declarations.accept(builder);
    webhooks = builder.register(manager);
    program.accept(manager);
  }

  static WebhookReplica started(
      String name, Config config, String address, Consumer<WebhookBuilder> declarations) {
    WebhookReplica replica =
        new WebhookReplica(name, config, address, builder -> builder, declarations, manager -> {});
    replica.manager.start();
    return replica;
  }

  /** Makes the API server call the replicas, as an administrator does. */
  WebhookReplica install(KubernetesClient kubectl) {
    for (HasMetadata manifest : webhooks.manifests()) {
      kubectl.resource(manifest).fieldManager("administrator").forceConflicts().serverSideApply();
    }
    return this;
  }

  /** Removes everything that replicas have left on a server, also a {@link CopiedConfiguration}. */
  static void uninstall(KubernetesClient kubectl) {
    var registrations = kubectl.admissionRegistration().v1();
    for (String name : List.of(CONFIGURATION, CopiedConfiguration.NAME)) {
      registrations.validatingWebhookConfigurations().withName(name).delete();
      registrations.mutatingWebhookConfigurations().withName(name).delete();
    }
    kubectl.secrets().inNamespace("default").withName(SECRET).delete();
  }

  int port() {
    return webhooks.port().orElseThrow();
  }

  /** What the readiness check says; empty if it is green. */
  Optional<String> problem() throws InterruptedException {
    Map<String, Optional<String>> checks = manager.endpoints().check(HealthCheck.Kind.READY);
    return checks.getOrDefault("webhooks", Optional.of("there is no check"));
  }

  /** How many handshakes clients have completed under the current certificate. */
  double handshakes() {
    return manager
        .meterRegistry()
        .get("windlass_webhook_certificate_accepted_handshakes")
        .gauge()
        .value();
  }

  /** The certificate that a client sees now. */
  X509Certificate presented() throws IOException {
    SSLContext context = TrustEverything.context();
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port())) {
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  @Override
  public void close() {
    manager.close();
  }
}
