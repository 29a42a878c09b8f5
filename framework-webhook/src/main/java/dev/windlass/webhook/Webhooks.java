// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.Manager;
import dev.windlass.tls.ServerKeys;
import dev.windlass.webhook.server.WebhookServer;
import java.util.OptionalInt;

/**
 * The webhooks of a program, which its manager starts before its caches and stops after them,
 * because the API server may need a conversion to answer the list request of a cache.
 *
 * <p>The readiness check {@code webhooks} fails until the server can answer requests, and from the
 * beginning of the manager's stop. This class is thread-safe.
 */
public final class Webhooks {

  /** The port on which the server listens by default: 9443, as in controller-runtime. */
  public static final int PORT = 9_443;

  private final WebhookServer server;
  private final ServerKeys keys;
  private final ServingComponent serving;

  Webhooks(WebhookBuilder settings, Manager manager) {
    if (settings.paths().isEmpty()) {
      throw new IllegalArgumentException(
          "the webhooks for " + settings.service + " need a validator, defaults or a conversion");
    }
    InformerOptions options = manager.informerOptions();
    CertificateFiles files =
        new CertificateFiles(
            settings.certificates.orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "the webhooks need a certificate; set certificatesIn")),
            options);
    keys = files.certificate().keys();
    server =
        new WebhookServer(
            settings.address,
            ServerTls.context(keys, settings.clientAuthority),
            settings.clientAuthority.isPresent(),
            settings.paths(),
            manager.meterRegistry(),
            options.scheduler(),
            options.threads());
    serving = new ServingComponent(server, settings.drain, options.scheduler());
    manager.add("webhook-certificate", files);
    manager.add("webhooks", serving);
    manager.add(serving.new StopNotice());
    manager.addReadyCheck("webhooks", this::checkReady);
  }

  /**
   * Begins to declare webhooks.
   *
   * @param service the name of the Service through which the API server reaches the webhooks, in
   *     the namespace of the manager
   */
  public static WebhookBuilder forService(String service) {
    return new WebhookBuilder(service);
  }

  /** Returns the port on which the server listens, or empty if it does not listen. */
  public OptionalInt port() {
    return server.port();
  }

  private void checkReady() {
    if (serving.isDraining()) {
      throw new IllegalStateException("the webhooks are stopping");
    }
    if (server.port().isEmpty()) {
      throw new IllegalStateException("the webhook server does not listen yet");
    }
    if (keys.certificate().isEmpty()) {
      throw new IllegalStateException("the webhooks do not have a certificate yet");
    }
  }

  @Override
  public String toString() {
    return "the webhooks";
  }
}
