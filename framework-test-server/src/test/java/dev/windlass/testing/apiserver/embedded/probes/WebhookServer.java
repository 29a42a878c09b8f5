// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.probes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.windlass.testing.apiserver.real.access.CertificateAuthority;
import dev.windlass.testing.apiserver.real.access.Credentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A server with webhooks, on 127.0.0.1. */
public final class WebhookServer implements AutoCloseable {
  private static final CertificateAuthority AUTHORITY =
      CertificateAuthority.create(Clock.systemUTC());
  private static final Credentials CREDENTIALS =
      AUTHORITY.server("webhook", List.of("hooks.default.svc"));

  private final HttpsServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<ObjectNode> requests = new CopyOnWriteArrayList<>();

  public WebhookServer() {
    try {
      server =
          HttpsServer.create(
              new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0), 0);
      server.setHttpsConfigurator(new HttpsConfigurator(context()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    server.setExecutor(threads);
    server.start();
  }

  private static SSLContext context() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "server", CREDENTIALS.key(), new char[0], new Certificate[] {CREDENTIALS.certificate()});
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  /**
   * Adds a webhook that answers each review.
   *
   * @param response returns the response for the request of a review
   */
  public void answer(String path, UnaryOperator<ObjectNode> response) {
    server.createContext(
        path,
        exchange -> {
          ObjectNode review = read(exchange);
          ObjectNode request = (ObjectNode) review.path("request");
          requests.add(request);
          ObjectNode answer = response.apply(request.deepCopy());
          if (!answer.has("uid")) {
            answer.set("uid", request.path("uid"));
          }
          review.remove("request");
          review.set("response", answer);
          send(exchange, 200, review.toString());
        });
  }

  /** Adds a webhook that answers with a text. */
  public void fail(String path, int code, String text) {
    server.createContext(
        path,
        exchange -> {
          read(exchange);
          send(exchange, code, text);
        });
  }

  private static ObjectNode read(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    return (ObjectNode) HttpProbe.parse(new String(body, StandardCharsets.UTF_8));
  }

  private static void send(HttpExchange exchange, int code, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    String type = code == 200 ? "application/json" : "text/plain";
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /** The requests of all reviews so far. */
  public List<ObjectNode> requests() {
    return requests;
  }

  /** The request of the latest review. */
  public ObjectNode last() {
    return requests.get(requests.size() - 1);
  }

  public void clear() {
    requests.clear();
  }

  public InetSocketAddress address() {
    return server.getAddress();
  }

  /** The client configuration of a webhook, with single quotes. */
  public String clientConfig(String path) {
    return "{'url':'https://127.0.0.1:%d%s','caBundle':'%s'}"
        .formatted(server.getAddress().getPort(), path, caBundle());
  }

  public static String caBundle() {
    return Base64.getEncoder()
        .encodeToString(AUTHORITY.self().certificatePem().getBytes(StandardCharsets.UTF_8));
  }

  /** An empty response. */
  public static ObjectNode response() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** A response that allows a write. */
  public static ObjectNode allowed() {
    return response().put("allowed", true);
  }

  /** A response that changes the object with a JSON patch in single quotes. */
  public static ObjectNode patched(String patch) {
    byte[] bytes = HttpProbe.quoted(patch).getBytes(StandardCharsets.UTF_8);
    return allowed()
        .put("patchType", "JSONPatch")
        .put("patch", Base64.getEncoder().encodeToString(bytes));
  }

  /** A response that denies a write with a status in single quotes. */
  public static ObjectNode denied(String status) {
    JsonNode parsed = HttpProbe.parse(HttpProbe.quoted(status));
    ObjectNode response = response().put("allowed", false);
    response.set("status", parsed);
    return response;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
