// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.fault;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP proxy that injects faults into selected requests to an API server, and into selected
 * watch events. The API server can be embedded or real. Unlike a {@link TcpProxy}, this proxy reads
 * the requests, so a test can choose the request or event that fails. For example, the following
 * proxy drops the response to the second update of a Widget:
 *
 * <pre>{@code
 * try (FaultProxy faults = FaultProxy.to(server)) {
 *   faults.inject(RequestMatcher.of(Verb.UPDATE, "widgets.example.com"), 1, 1, ApiFault.loseResponse());
 *   Manager manager = Manager.builder().config(faults.clientConfig()).build();
 * }
 * }</pre>
 *
 * <p>Clients connect without TLS, and the proxy forwards their requests as the administrator.
 * WebSockets are not supported. This class is thread-safe.
 */
public final class FaultProxy implements AutoCloseable {

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  /** The request headers that the proxy forwards to the server. */
  private static final List<String> REQUEST_HEADERS = List.of("Accept", "Content-Type");

  private static final List<String> RESPONSE_HEADERS =
      List.of("Content-Type", "Retry-After", "Warning");

  private final KubernetesClient client;
  private final HttpClient upstream;
  private final String server;
  private final FaultRules rules = new FaultRules();
  private final HttpServer http;
  private final ExecutorService threads;
  private final Set<InputStream> streams = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);

  private FaultProxy(TestApiServer target) {
    client = target.newClient();
    upstream = client.getHttpClient();
    String address = client.getConfiguration().getMasterUrl();
    server = address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
    threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "fault-proxy");
              thread.setDaemon(true);
              return thread;
            });
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException("no free loopback port", e);
    }
    http.setExecutor(threads);
    http.createContext("/", this::handle);
    http.start();
  }

  /**
   * Starts a proxy without faults. The caller must close the proxy. The proxy does not close the
   * server.
   */
  public static FaultProxy to(TestApiServer server) {
    return new FaultProxy(server);
  }

  /** Returns a new configuration for clients that connect through this proxy. */
  public Config clientConfig() {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl("http://127.0.0.1:" + http.getAddress().getPort() + "/")
        .withNamespace("default")
        .build();
  }

  /** Injects a fault into the next matching request or watch event. */
  public FaultProxy inject(RequestMatcher requests, ApiFault fault) {
    return inject(requests, 0, 1, fault);
  }

  /**
   * Skips a number of matching requests or watch events, and injects a fault into the following
   * ones.
   *
   * @param requests selects the requests or, if the fault affects watch events, the watches
   * @param skip the number of matching requests or watch events to skip, at least 0
   * @param times the number of requests or watch events into which to inject the fault, at least 1
   */
  public FaultProxy inject(RequestMatcher requests, int skip, int times, ApiFault fault) {
    rules.add(requests, fault, skip, times);
    return this;
  }

  /**
   * Injects faults at random until {@link #heal()} is called. If requests arrive in the same order,
   * the same seed injects the same faults into the same requests.
   *
   * @param probability the probability of each fault for each matching request or watch event,
   *     above 0 and at most 1
   */
  public FaultProxy injectRandomly(
      long seed, double probability, RequestMatcher requests, ApiFault... faults) {
    for (ApiFault fault : faults) {
      rules.addRandom(requests, fault, probability, new Random(seed));
    }
    return this;
  }

  /**
   * Removes all faults that have not occurred. Watches that are already delayed or half-open are
   * not affected.
   */
  public void heal() {
    rules.clear();
  }

  /**
   * Returns descriptions of the faults that have occurred, in order, such as {@code UPDATE
   * widgets.x.y first: loses the response}.
   */
  public List<String> injected() {
    return rules.injected();
  }

  /**
   * Handles a request. If this method throws an exception, the JDK's HTTP server closes the
   * connection.
   */
  private void handle(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    if ("websocket".equalsIgnoreCase(exchange.getRequestHeaders().getFirst("Upgrade"))) {
      send(exchange, 200, "text/plain", new byte[0]); // fabric8 falls back to plain HTTP
      return;
    }
    Optional<RecordedRequest> request =
        RecordedRequest.of(exchange.getRequestMethod(), exchange.getRequestURI());
    Optional<ApiFault> fault = request.flatMap(rules::forRequest);
    if (fault.isPresent() && replaced(exchange, body, fault.get())) {
      return;
    }
    HttpResponse<InputStream> response = forward(exchange, body);
    if (fault.isPresent() && fault.get().kind() == ApiFault.Kind.LOSE_RESPONSE) {
      response.body().readAllBytes();
      throw new IOException("the response is lost");
    }
    if (request.isPresent() && request.get().verb() == Verb.WATCH && response.isSuccessful()) {
      stream(exchange, request.get(), response);
    } else {
      copyHeaders(exchange, response);
      byte[] bytes = response.body().readAllBytes();
      send(exchange, response.code(), response.header("Content-Type"), bytes);
    }
  }

  /**
   * Applies a fault to a request. Returns true if this method has responded to the client, and
   * false if the request must still be forwarded.
   *
   * @throws IOException if the connection must be closed without a response
   */
  private boolean replaced(HttpExchange exchange, byte[] body, ApiFault fault) throws IOException {
    switch (fault.kind()) {
      case STATUS -> {
        if (!fault.duration().isZero()) {
          exchange
              .getResponseHeaders()
              .set("Retry-After", Long.toString(fault.duration().toSeconds()));
        }
        String status =
            """
            {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
            "message":"failure injected by the test","reason":"%s","code":%d}"""
                .formatted(reason(fault.code()), fault.code());
        send(exchange, fault.code(), "application/json", status.getBytes(StandardCharsets.UTF_8));
      }
      case HTML -> {
        String page = "<html><body><h1>%d</h1></body></html>".formatted(fault.code());
        send(exchange, fault.code(), "text/html", page.getBytes(StandardCharsets.UTF_8));
      }
      case LOSE_REQUEST -> throw new IOException("the request is lost");
      case REPEAT -> {
        forward(exchange, body).body().readAllBytes();
        return false;
      }
      case DELAY -> {
        pause(fault.duration());
        return false;
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private static String reason(int code) {
    return switch (code) {
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "NotFound";
      case 409 -> "Conflict";
      case 410 -> "Expired";
      case 429 -> "TooManyRequests";
      case 500 -> "InternalError";
      case 503 -> "ServiceUnavailable";
      case 504 -> "Timeout";
      default -> "";
    };
  }

  private HttpResponse<InputStream> forward(HttpExchange exchange, byte[] body) throws IOException {
    URI uri = exchange.getRequestURI();
    HttpRequest.Builder request = upstream.newHttpRequestBuilder().uri(server + uri).forStreaming();
    for (String name : REQUEST_HEADERS) {
      String value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    request.method(
        exchange.getRequestMethod(),
        type,
        body.length == 0 ? null : new String(body, StandardCharsets.UTF_8));
    try {
      return upstream.sendAsync(request.build(), InputStream.class).join();
    } catch (RuntimeException e) {
      throw new IOException("the server did not respond", e);
    }
  }

  private static void copyHeaders(HttpExchange exchange, HttpResponse<InputStream> response) {
    for (String name : RESPONSE_HEADERS) {
      for (String value : response.headers(name)) {
        exchange.getResponseHeaders().add(name, value);
      }
    }
  }

  private static void send(HttpExchange exchange, int code, String type, byte[] bytes)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type == null ? "application/json" : type);
    exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  /** Forwards the events of a watch, and injects faults into them. */
  private void stream(
      HttpExchange exchange, RecordedRequest watch, HttpResponse<InputStream> response)
      throws IOException {
    streams.add(response.body());
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, 0);
      OutputStream out = exchange.getResponseBody();
      String line;
      while ((line = lines.readLine()) != null) {
        deliver(watch, line, out);
      }
      exchange.close();
    } finally {
      streams.remove(response.body());
    }
  }

  private void deliver(RecordedRequest watch, String line, OutputStream out) throws IOException {
    boolean endBookmark = line.contains("k8s.io/initial-events-end");
    byte[] event = (line + "\n").getBytes(StandardCharsets.UTF_8);
    Optional<ApiFault> fault = rules.forEvent(watch, endBookmark);
    if (fault.isEmpty()) {
      write(out, event, event.length);
      return;
    }
    switch (fault.get().kind()) {
      case REPEAT_EVENT -> {
        write(out, event, event.length);
        write(out, event, event.length);
      }
      case DELAY_EVENT -> {
        pause(fault.get().duration());
        write(out, event, event.length);
      }
      case CUT_IN_EVENT -> {
        write(out, event, event.length / 2);
        throw new IOException("the connection is cut");
      }
      case HALF_OPEN -> {
        pause(Duration.ofDays(1));
        throw new IOException("the proxy is closed");
      }
      default -> {} // the event is dropped
    }
  }

  private static void write(OutputStream out, byte[] bytes, int length) throws IOException {
    out.write(bytes, 0, length);
    out.flush();
  }

  private void pause(Duration duration) throws IOException {
    try {
      if (closed.await(duration.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException("the proxy is closed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the proxy is closed", e);
    }
  }

  /** Stops the proxy and closes all its connections. */
  @Override
  public void close() {
    closed.countDown();
    http.stop(0);
    for (InputStream stream : streams) {
      try {
        stream.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    threads.shutdownNow();
    client.close();
  }
}
