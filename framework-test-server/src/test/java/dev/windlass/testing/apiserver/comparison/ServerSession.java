// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.patch.PatchFormat;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;

/** The requests of one sequence to one server, and what the server has sent so far. */
final class ServerSession {
  private static final Pattern REFERENCE = Pattern.compile("\\$(rv|old|uid)\\(([^)]*)\\)");
  private static final String NOBODY = "00000000-0000-0000-0000-000000000000";

  private final HttpClient http;
  private final String url;
  private final String namespace;
  private final Normalisation normalisation;
  private final Map<String, ObjectNode> objects = new HashMap<>();
  private final Map<String, String> references = new HashMap<>();
  private final Map<Operation, String> watches = new IdentityHashMap<>();
  private final Map<Operation, CompletableFuture<HttpResponse<String>>> responses =
      new IdentityHashMap<>();
  private long latest;

  ServerSession(HttpClient http, String url, String namespace) {
    this.http = http;
    this.url = url;
    this.namespace = namespace;
    this.normalisation = new Normalisation(namespace);
    send("POST", "/api/v1/namespaces", "json", "{\"metadata\":{\"name\":\"" + namespace + "\"}}")
        .thenAccept(created -> latest = version(parse(created.body())))
        .join();
  }

  /** Executes an operation and returns the normalised response. */
  ObjectNode execute(Operation operation) {
    if (operation.method().equals("WATCH")) {
      watches.put(operation, resolve(operation.path()));
      return Json.object();
    }
    String path = resolve(operation.path());
    HttpResponse<String> response;
    try {
      response = send(operation.method(), path, operation.type(), body(operation)).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof HttpTimeoutException) {
        throw new IllegalStateException(operation + " on " + url, e);
      }
      return Json.object().put("code", 0).put("body", "connection closed");
    }
    ObjectNode reply = Json.object().put("code", response.statusCode());
    response.headers().allValues("Warning").forEach(reply.withArray("warnings")::add);
    JsonNode body = parse(response.body());
    boolean dryRun = operation.toString().contains("dryRun");
    if (!dryRun) {
      remember(operation, body);
    }
    reply.set("body", body);
    normalisation.apply(reply, dryRun);
    return reply;
  }

  /** Sends the watches, which end after a second, to which all changes are in the past. */
  void startWatches() {
    watches.forEach(
        (operation, path) ->
            responses.put(operation, send("GET", path + "&watch=true&timeoutSeconds=1", "-", "")));
  }

  /** Returns the normalised events of a watch. */
  ObjectNode events(Operation operation) {
    HttpResponse<String> response = responses.get(operation).join();
    ObjectNode reply = Json.object().put("code", response.statusCode());
    Map<String, JsonNode> last = new TreeMap<>();
    for (String line : response.body().lines().toList()) {
      JsonNode event = parse(line);
      if (operation.path().contains("sendInitialEvents")) {
        // The initial state can be older on one server, so only the last states are compared.
        last.put(event.at("/object/metadata/name").asText(), event.path("object"));
        if (event.path("type").asText().equals("DELETED")) {
          last.remove(event.at("/object/metadata/name").asText());
        }
      } else {
        reply.withArray("events").add(event);
      }
    }
    last.values().forEach(reply.withArray("last")::add);
    normalisation.apply(reply, false);
    return reply;
  }

  private static JsonNode parse(String text) {
    return text.startsWith("{")
        ? Json.parse(text.getBytes(StandardCharsets.UTF_8))
        : Json.object().textNode(text);
  }

  private CompletableFuture<HttpResponse<String>> send(
      String method, String path, String type, String body) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
    request.timeout(Duration.ofMinutes(2)).header("Accept", "application/json");
    if (!type.equals("-")) {
      request.header("Content-Type", "application/" + type);
    }
    request.method(
        method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    return http.sendAsync(request.build(), BodyHandlers.ofString());
  }

  private String body(Operation operation) {
    String body = resolve(operation.body());
    if (!body.startsWith("~")) {
      return body;
    }
    ObjectNode last = objects.getOrDefault(key(operation.object()), Json.object());
    return PatchFormat.MERGE.apply(last, parse(body.substring(1)), Json.object()).toString();
  }

  /** Replaces the references in a path or a body. */
  String resolve(String text) {
    String known =
        REFERENCE
            .matcher(text)
            .replaceAll(
                found ->
                    references.getOrDefault(
                        found.group(1) + " " + found.group(2),
                        found.group(1).equals("uid") ? NOBODY : "1"));
    return known.replace("$ns", namespace).replace("$latest", Long.toString(latest));
  }

  private static String key(String object) {
    return object.replaceFirst("/status$", "");
  }

  private void remember(Operation operation, JsonNode body) {
    JsonNode metadata = body.path("metadata");
    if (!(body instanceof ObjectNode object) || !metadata.has("uid")) {
      return;
    }
    latest = Math.max(latest, version(body));
    String path = operation.object();
    String key = key(path.contains("/") ? path : path + "/" + metadata.path("name").asText());
    String version = metadata.path("resourceVersion").asText();
    String before = references.put("rv " + key, version);
    if (before != null && !before.equals(version)) {
      references.put("old " + key, before);
    }
    references.put("uid " + key, metadata.path("uid").asText());
    objects.put(key, object.deepCopy());
  }

  private static long version(JsonNode object) {
    return object.path("metadata").path("resourceVersion").asLong();
  }
}
