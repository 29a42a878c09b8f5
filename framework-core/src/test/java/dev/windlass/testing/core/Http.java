// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.core;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on loopback that answers as it is told, and remembers what it was asked. */
public final class Http implements AutoCloseable {

  /** Shared by all clients, because each would inspect the classes of objects again. */
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  /** A request: {@code GET /path}, {@code query} or {@code null}, its body, and what it accepts. */
  public record Asked(String line, String query, String contentType, String body, String accept) {}

  private record Answer(int status, String body, Map<String, String> headers) {
    Answer(int status, String body) {
      this(status, body, Map.of());
    }
  }

  private final HttpServer server;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private volatile Runnable beforeAnswers = () -> {};
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  public Http() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String line = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String type = String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type"));
      String query = String.valueOf(exchange.getRequestURI().getQuery());
      String accept = String.valueOf(exchange.getRequestHeaders().getFirst("Accept"));
      asked.add(new Asked(line, query, type, body, accept));
      Answer answer =
          answers.getOrDefault(line + "?" + query, answers.getOrDefault(line, absent(line)));
      byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      answer.headers().forEach(exchange.getResponseHeaders()::add);
      beforeAnswers.run();
      exchange.sendResponseHeaders(answer.status(), bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static Answer status(int code) {
    return new Answer(
        code,
        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":" + code + "}");
  }

  /** Returns what an API server says of an object that does not exist. */
  private static Answer absent(String line) {
    String[] path = line.split("/");
    String name = path[path.length - 1];
    String plural = path[path.length - 2];
    return new Answer(
        404,
        """
        {"kind":"Status","apiVersion":"v1","status":"Failure","code":404,"reason":"NotFound",\
        "message":"%s \\"%s\\" not found","details":{"kind":"%s","name":"%s"}}"""
            .formatted(plural, name, plural, name));
  }

  /** Answers {@code METHOD /path} as if the object did not exist. */
  public void failAsAbsent(String line) {
    answers.put(line, absent(line));
  }

  /** Answers {@code GET /path}, or {@code GET /path?query}, with JSON. */
  public void answer(String line, String json) {
    answers.put(line, new Answer(200, json));
  }

  /** What the thread of the server does before each answer. */
  public void beforeAnswers(Runnable action) {
    beforeAnswers = action;
  }

  /** Answers with a failure. */
  public void fail(String line, int code) {
    answers.put(line, status(code));
  }

  /** Answers with a failure and a body. */
  public void failWith(String line, int code, String body) {
    answers.put(line, new Answer(code, body));
  }

  /** Answers with a failure and what the server says of it. */
  public void fail(String line, int code, String reason, String message) {
    answers.put(
        line,
        new Answer(
            code,
            """
            {"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"reason":"%s",\
            "message":"%s"}"""
                .formatted(code, reason, message)));
  }

  /** Answers with a failure that asks for a delay, in the body and perhaps in a header. */
  public void failWithDelay(String line, int code, String header, int secondsInBody) {
    answers.put(
        line,
        new Answer(
            code,
            """
            {"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,\
            "details":{"retryAfterSeconds":%d}}"""
                .formatted(code, secondsInBody),
            header.isEmpty() ? Map.of() : Map.of("Retry-After", header)));
  }

  /** What it was asked, first to last. */
  public List<Asked> asked() {
    return asked;
  }

  /** The methods and paths that it was asked for. */
  public List<String> lines() {
    return asked.stream().map(Asked::line).toList();
  }

  /** How a client gets here. */
  public Config config() {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort() + "/")
        .withNamespace("of-the-kubeconfig")
        .withRequestRetryBackoffLimit(0)
        .build();
  }

  /** A client that gets here; whoever asks for it closes it. */
  public KubernetesClient newClient() {
    return new KubernetesClientBuilder()
        .withConfig(config())
        .withKubernetesSerialization(SERIALIZATION)
        .build();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
