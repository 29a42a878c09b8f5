// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

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
import java.time.Duration;

/**
 * The two calls that we need of etcd, through its JSON gateway, which spares us gRPC.
 *
 * @param url etcd's client address, without a path
 */
record EtcdGateway(HttpClient http, String url) {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The revision of the latest write; Kubernetes shows it as a resourceVersion. */
  long revision() {
    JsonNode answer = post("/v3/kv/range", "{\"key\":\"AA==\",\"count_only\":true}");
    long revision = answer.at("/header/revision").asLong();
    if (revision == 0) {
      throw new IllegalStateException("etcd named no revision: " + answer);
    }
    return revision;
  }

  /** Forgets all that was overwritten or deleted before a revision; returns when that is done. */
  void compact(long revision) {
    post("/v3/kv/compaction", "{\"revision\":\"%d\",\"physical\":true}".formatted(revision));
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
            "etcd answered %s with %d: %s".formatted(path, response.statusCode(), response.body()));
      }
      return JSON.readTree(response.body());
    } catch (IOException e) {
      throw new UncheckedIOException("etcd did not answer " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while etcd worked on " + path, e);
    }
  }
}
