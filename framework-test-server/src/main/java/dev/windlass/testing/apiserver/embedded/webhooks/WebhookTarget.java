// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.webhooks;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A webhook's address.
 *
 * @param uri the URL. For a Service, the host in this URL is the name that the Service's
 *     certificate must contain
 * @param service the Service to resolve; null if the webhook is specified by its URL
 * @param caBundle the certificates to trust, in PEM format and encoded in Base64; if empty, the
 *     JDK's default CAs are trusted
 */
public record WebhookTarget(URI uri, @Nullable ServicePort service, String caBundle) {
  private static final int HTTPS = 443;

  /** A port of a Service. */
  record ServicePort(String namespace, String name, int port) {}

  /**
   * Returns the address that a webhook's {@code clientConfig} specifies. The configuration must be
   * valid.
   */
  public static WebhookTarget of(JsonNode config) {
    String caBundle = config.path("caBundle").asText("");
    if (config.hasNonNull("url")) {
      return new WebhookTarget(URI.create(config.path("url").asText()), null, caBundle);
    }
    JsonNode service = config.path("service");
    ServicePort port =
        new ServicePort(
            service.path("namespace").asText(),
            service.path("name").asText(),
            service.path("port").asInt(HTTPS));
    String host = port.name() + "." + port.namespace() + ".svc:" + port.port();
    return new WebhookTarget(
        URI.create("https://" + host + service.path("path").asText("")), port, caBundle);
  }

  int port() {
    return uri.getPort() < 0 ? HTTPS : uri.getPort();
  }
}
