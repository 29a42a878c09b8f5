// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.processes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/**
 * Calls etcd through its JSON gateway. A gRPC client is not required.
 *
 * @param http the HTTP client
 * @param url etcd's client URL, without a path
 */
public record EtcdGateway(HttpClient http, String url) {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The key that {@link #compact()} writes. It is outside of /registry, where Kubernetes stores
   * objects.
   */
  private static final String KEY =
      Base64.getEncoder().encodeToString("windlass-compaction".getBytes(StandardCharsets.US_ASCII));

  /**
   * Compacts the history of etcd and returns the compacted revision, which is the first revision
   * from which a watch can start.
   *
   * <p>A Kubernetes watch from resourceVersion v starts at revision v + 1. To make the compacted
   * revision greater than v + 1 for each existing object, this method first writes twice to a key
   * that Kubernetes does not use.
   */
  public long compact() {
    put();
    long revision = put();
    post("/v3/kv/compaction", "{\"revision\":\"%d\",\"physical\":true}".formatted(revision));
    return revision;
  }

  private long put() {
    JsonNode answer = post("/v3/kv/put", "{\"key\":\"%s\"}".formatted(KEY));
    long revision = answer.at("/header/revision").asLong();
    if (revision == 0) {
      throw new IllegalStateException("etcd returned no revision: " + answer);
    }
    return revision;
  }

  private JsonNode post(String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(TIMEOUT)
            .POST(BodyPublishers.ofString(body))
            .build();
    try {
      HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IllegalStateException(
            "etcd responded to %s with %d: %s"
                .formatted(path, response.statusCode(), response.body()));
      }
      return JSON.readTree(response.body());
    } catch (IOException e) {
      throw new UncheckedIOException("etcd did not respond to " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for etcd: " + path, e);
    }
  }
}
