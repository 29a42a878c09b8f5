// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rest;

import dev.windlass.failure.ErrorResponse;
import dev.windlass.transport.Retries;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends individual requests with JSON bodies to an API server. The requests use the connections of
 * a fabric8 client. This class does not check the status of a response. The caller must handle
 * error responses. This class is thread-safe.
 */
public final class JsonHttpClient {

  /** The media type of requests and responses. */
  public static final String JSON = "application/json";

  /**
   * What a request for a list accepts that needs only the metadata of the objects. A server that
   * does not support {@code PartialObjectMetadataList} returns whole objects.
   */
  public static final String METADATA_LIST =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

  private final HttpClient http;
  private final KubernetesSerialization json;
  private final String server;

  private JsonHttpClient(KubernetesClient client, HttpClient http) {
    this.http = http;
    this.json = client.getKubernetesSerialization();
    String address = client.getConfiguration().getMasterUrl();
    this.server = address.endsWith("/") ? address : address + "/";
  }

  /**
   * Creates an instance that sends requests with the settings of the given client, including its
   * settings for retries.
   */
  public static JsonHttpClient of(KubernetesClient client) {
    return new JsonHttpClient(client, client.getHttpClient());
  }

  /**
   * Creates an instance that never retries requests, even if the given client is configured for
   * retries.
   */
  public static JsonHttpClient withoutRetry(KubernetesClient client) {
    return new JsonHttpClient(client, Retries.disabled(client));
  }

  /** Returns the server's address, which ends with a slash. */
  public String server() {
    return server;
  }

  /**
   * Returns a builder for a request.
   *
   * @param path the path relative to the server's address, without a leading slash
   * @param limit the time limit that the HTTP transport applies to the request
   */
  public HttpRequest.Builder to(String path, Duration limit) {
    return http.newHttpRequestBuilder()
        .uri(server + path)
        .header("Accept", JSON)
        .timeout(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Sends a request. A caller that cancels the returned future no longer waits for the response;
   * the request itself continues until it ends or its time limit expires.
   */
  public CompletableFuture<HttpResponse<byte[]>> send(HttpRequest.Builder request) {
    return http.sendAsync(request.build(), byte[].class);
  }

  public String write(Object body) {
    return json.asJson(body);
  }

  /**
   * Reads an object from a response body.
   *
   * @throws RuntimeException if the body is not valid JSON for an object of this type; the message
   *     may quote the body
   */
  public <T> T read(byte @Nullable [] body, Class<T> type) {
    InputStream bytes = new ByteArrayInputStream(body == null ? new byte[0] : body);
    return Objects.requireNonNull(json.unmarshal(bytes, type), "the body is empty");
  }

  /**
   * Reads the body of an error response. If the body is not a {@code Status}, for example because
   * the server does not serve the path or a proxy responds, the result contains only a message.
   */
  public Status status(byte @Nullable [] body) {
    try {
      return read(body, Status.class);
    } catch (RuntimeException e) {
      return new StatusBuilder().withMessage(ErrorResponse.foreignText(body)).build();
    }
  }

  /**
   * Returns whether an error response is that of fabric8's mock server for an absent object: a 404
   * with neither a body nor the header {@code Date}, which API servers and proxies send.
   */
  public static boolean isAbsenceOnMockServer(HttpResponse<byte[]> response) {
    return response.code() == HttpURLConnection.HTTP_NOT_FOUND
        && (response.body() == null || response.body().length == 0)
        && response.header("Date") == null;
  }

  public <T> T copy(T object) {
    return json.clone(object);
  }
}
