// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.webhooks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Sends reviews to webhooks. This class is thread-safe. */
public final class WebhookClient {
  private static final int OK = 200;

  private final ServiceAddresses services;
  private final TrustedCertificates certificates = new TrustedCertificates();

  public WebhookClient(ServiceAddresses services) {
    this.services = services;
  }

  /**
   * Sends a review and returns the JSON object in the response. The caller must not hold the
   * store's lock.
   *
   * @param timeout the time-out for connecting and for each read. The query parameter {@code
   *     timeout} passes the same time-out to the webhook, in whole seconds
   */
  public ObjectNode post(WebhookTarget target, ObjectNode review, Duration timeout)
      throws WebhookCallException {
    services.requireUnlocked();
    String path = target.uri().getRawPath();
    String query = "?timeout=" + timeout.toSeconds() + "s";
    String authority = target.uri().getRawAuthority();
    String url = "https://" + authority + path + query;
    HttpsExchange.Response response;
    try {
      InetSocketAddress address = address(target);
      response =
          new HttpsExchange(certificates.context(target.caBundle()), address, timeout)
              .post(
                  target.uri().getHost(),
                  authority,
                  (path.isEmpty() ? "/" : path) + query,
                  Json.bytes(review));
    } catch (IOException | WebhookCallException e) {
      throw new WebhookCallException("Post \"" + url + "\": " + problem(e), e);
    }
    return decoded(response);
  }

  private InetSocketAddress address(WebhookTarget target)
      throws WebhookCallException, UnknownHostException {
    WebhookTarget.ServicePort service = target.service();
    if (service != null) {
      return services.resolve(service);
    }
    return new InetSocketAddress(InetAddress.getByName(target.uri().getHost()), target.port());
  }

  private static String problem(Exception failure) {
    return failure instanceof WebhookCallException call
        ? String.valueOf(call.getMessage())
        : failure.toString();
  }

  private static ObjectNode decoded(HttpsExchange.Response response) throws WebhookCallException {
    String text = response.text();
    if (response.code() >= OK + 100) {
      throw new WebhookCallException(
          "the server answered with %d: %s".formatted(response.code(), text.strip()));
    }
    try {
      return Json.parseObject(text.getBytes(StandardCharsets.UTF_8));
    } catch (StatusException e) {
      throw new WebhookCallException(String.valueOf(e.getMessage()), e);
    }
  }
}
