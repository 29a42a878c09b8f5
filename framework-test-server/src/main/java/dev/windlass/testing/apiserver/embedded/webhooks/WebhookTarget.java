// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.webhooks;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A webhook's address.
 *
 * @param uri the URL. For a Service, its host is the name that the Service's certificate must
 *     contain
 * @param service the Service to resolve; null if the webhook is addressed by its URL
 * @param caBundle the trusted certificates, in PEM format and encoded in Base64; empty for those
 *     that the JDK trusts
 */
public record WebhookTarget(URI uri, @Nullable ServicePort service, String caBundle) {
  private static final int HTTPS = 443;

  /** A port of a Service. */
  record ServicePort(String namespace, String name, int port) {}

  /** Reads the {@code clientConfig} of a webhook. The configuration must be valid. */
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
