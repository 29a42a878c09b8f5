// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.webhooks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLException;

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
      throw new WebhookCallException("Post \"" + url + "\": " + inGo(target, e), e);
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

  /** Translates {@code failure} into the error message of Go's HTTP client. */
  private String inGo(WebhookTarget target, Exception failure) {
    if (failure instanceof ConnectException) {
      String address = target.uri().getHost() + ":" + target.port();
      try {
        InetSocketAddress resolved = address(target);
        address = resolved.getAddress().getHostAddress() + ":" + resolved.getPort();
      } catch (IOException | WebhookCallException e) {
        // The Service no longer exists, so the message contains its name instead of an address.
      }
      return "dial tcp " + address + ": connect: connection refused";
    } else if (failure instanceof SocketTimeoutException) {
      return "context deadline exceeded";
    } else if (failure instanceof UnknownHostException) {
      return "dial tcp: lookup " + target.uri().getHost() + ": no such host";
    } else if (failure instanceof EOFException) {
      return "EOF";
    } else if (failure instanceof SSLException) {
      return inGo(target.uri().getHost(), String.valueOf(failure.getMessage()));
    }
    return String.valueOf(failure.getMessage());
  }

  private static String inGo(String host, String tlsFailure) {
    String prefix = "tls: failed to verify certificate: x509: ";
    if (tlsFailure.contains("PKIX path")) {
      return prefix + "certificate signed by unknown authority";
    } else if (tlsFailure.startsWith("No subject alternative") || tlsFailure.contains("No name")) {
      return prefix + "certificate is not valid for " + host + ": " + tlsFailure;
    }
    return tlsFailure;
  }

  private static ObjectNode decoded(HttpsExchange.Response response) throws WebhookCallException {
    String text = response.text();
    if (response.code() >= OK + 100) {
      throw new WebhookCallException(
          inGo(response.code(), response.plain() ? text.strip() : "unknown"));
    }
    try {
      return Json.parseObject(text.getBytes(StandardCharsets.UTF_8));
    } catch (StatusException e) {
      throw new WebhookCallException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns the error message that client-go reports for an HTTP status. */
  private static String inGo(int code, String text) {
    return switch (code) {
      case 400 -> "the server rejected our request for an unknown reason";
      case 401 -> "the server has asked for the client to provide credentials";
      case 403 -> text.isEmpty() ? "unknown" : text;
      case 404 -> "the server could not find the requested resource";
      case 405 -> "the server does not allow this method on the requested resource";
      case 429 -> "the server has received too many requests and has asked us to try again later";
      case 503 -> "the server is currently unable to handle the request";
      case 504 ->
          "the server was unable to return a response in the time allotted, but may still be processing the request";
      default ->
          "an error on the server (\"%s\") has prevented the request from succeeding"
              .formatted(text);
    };
  }
}
