// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.client.pipeline.Pipeline;
import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.failure.ErrorResponse;
import dev.windlass.failure.FailureAdvice;
import dev.windlass.failure.FailureCause;
import dev.windlass.failure.RetryAfter;
import dev.windlass.failure.TransportFailure;
import dev.windlass.logging.OneLine;
import dev.windlass.object.ListPage;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.object.Projection;
import dev.windlass.object.UndecodableException;
import dev.windlass.rest.ApiRequest;
import dev.windlass.rest.JsonHttpClient;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests through fabric8's HTTP client, which adds the credentials. Converts error
 * responses to exceptions that describe the failure. This class is thread-safe.
 */
final class RestClient {

  /** The maximum length of a server's message in an exception; longer messages are truncated. */
  private static final int MAX_MESSAGE = 1024;

  private static final int UNPROCESSABLE = 422;
  private static final int TOO_MANY_REQUESTS = 429;

  private final KubernetesClient client;
  private final JsonHttpClient requests;
  private final ObjectSerialization serialization;

  /** The context of all requests; empty to use the context of the current thread. */
  private final Optional<WriterContext> scope;

  RestClient(KubernetesClient client) {
    this(client, Optional.empty());
  }

  private RestClient(KubernetesClient client, Optional<WriterContext> scope) {
    this.client = client;
    this.scope = scope;
    this.requests = JsonHttpClient.of(client);
    this.serialization = ObjectSerialization.of(client.getKubernetesSerialization());
  }

  RestClient in(WriterContext other) {
    return new RestClient(client, Optional.of(other));
  }

  KubernetesClient client() {
    return client;
  }

  String write(Object body) {
    return requests.write(body);
  }

  ObjectSerialization serialization() {
    return serialization;
  }

  Map<?, ?> tree(String json) {
    return client.getKubernetesSerialization().unmarshal(json, Map.class);
  }

  <R> R send(ApiRequest request, Class<R> answer) {
    byte[] body = send(request);
    try {
      return requests.read(body, answer);
    } catch (RuntimeException e) {
      throw unreadable(request, answer, e);
    }
  }

  private ApiException unreadable(ApiRequest request, Class<?> answer, RuntimeException cause) {
    String done = request.method().equals("GET") ? "" : "; the operation itself succeeded";
    UndecodableException misfit =
        new UndecodableException(
            request.type().kind(), request.namespace(), request.name(), answer, cause);
    return new ApiException(
        "can't read the response to "
            + request
            + ": it "
            + misfit.problem()
            + done
            + ". "
            + FailureAdvice.of(FailureCause.CLASS_MISMATCH),
        0,
        null,
        misfit);
  }

  <T extends HasMetadata> ListPage<T> page(ApiRequest request, ObjectDecoder<T> decoder) {
    boolean metadata = decoder.codec().projection() == Projection.METADATA;
    byte[] body = send(request, metadata ? JsonHttpClient.METADATA_LIST : JsonHttpClient.JSON);
    try {
      return ListPage.read(body, decoder);
    } catch (RuntimeException e) {
      throw unreadable(request, decoder.codec().target(), e);
    }
  }

  <T> T copy(T object) {
    return requests.copy(object);
  }

  byte[] send(ApiRequest request) {
    return send(request, JsonHttpClient.JSON);
  }

  private byte[] send(ApiRequest request, String accept) {
    Duration limit = Duration.ofMillis(client.getConfiguration().getRequestTimeout());
    HttpResponse<byte[]> response =
        await(
            request,
            requests
                .to(request.path(), limit)
                .setHeader("Accept", accept)
                .method(request.method(), request.contentType(), request.body().orElse(null)));
    if (!HttpResponse.isSuccessful(response.code())) {
      throw refusal(request, response);
    }
    return response.body();
  }

  private HttpResponse<byte[]> await(ApiRequest request, HttpRequest.Builder http) {
    CompletableFuture<HttpResponse<byte[]>> sent =
        Pipeline.send(
            client.getHttpClient(), http.build(), request, scope.or(WriterContext::current));
    try {
      return sent.get();
    } catch (InterruptedException e) {
      sent.cancel(true);
      Thread.currentThread().interrupt();
      throw noAnswer(request, "the wait was interrupted", "", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (cause instanceof ApiException refused) {
        throw refused; // rejected before it reached the network
      }
      String message = Objects.requireNonNullElse(cause.getMessage(), "");
      throw noAnswer(
          request,
          TransportFailure.tlsFailure(cause)
              .map(said -> OneLine.of(said, 200))
              .orElse(cause.getClass().getSimpleName() + " " + OneLine.of(message, 200)),
          ". " + FailureAdvice.of(TransportFailure.of(cause)),
          cause);
    }
  }

  private ApiException noAnswer(ApiRequest request, String why, String advice, Throwable cause) {
    String unknown =
        request.method().equals("GET") ? "" : "; it is unknown whether the server has done it";
    return new ApiException(
        "can't "
            + request
            + ": no response from "
            + requests.server()
            + ": "
            + why
            + unknown
            + advice,
        0,
        null,
        cause);
  }

  private ApiException refusal(ApiRequest request, HttpResponse<byte[]> answer) {
    int code = answer.code();
    Status status = requests.status(answer.body());
    ErrorResponse refused = ErrorResponse.of(code, status);
    String reason = refused.reason();
    String said = refused.message();
    boolean absent =
        refused.isAbsent(request.type().plural(), request.name())
            || JsonHttpClient.isAbsenceOnMockServer(answer);
    boolean lacksSubresource =
        !request.subresource().isEmpty()
            && (absent || refused.problem() == FailureCause.UNKNOWN_TYPE)
            && objectExists(request);
    FailureAdvice advice =
        lacksSubresource
            ? FailureAdvice.of(FailureCause.NO_SUBRESOURCE)
            : FailureAdvice.of(refused);
    String message =
        "can't "
            + request
            + ": "
            + (said.isEmpty() ? "the server gives no reason" : OneLine.of(said, MAX_MESSAGE))
            + " (HTTP "
            + code
            + (reason.isEmpty() ? "" : " " + OneLine.of(reason, 64))
            + "). "
            + advice.about(request.access());
    return switch (code) {
      case HttpURLConnection.HTTP_NOT_FOUND ->
          absent && !lacksSubresource
              ? new NotFoundException(message, code, status)
              : new ApiException(message, code, status, null);
      case HttpURLConnection.HTTP_CONFLICT ->
          reason.equals("AlreadyExists")
              ? new AlreadyExistsException(message, code, status)
              : new ConflictException(message, code, status);
      case HttpURLConnection.HTTP_FORBIDDEN -> new ForbiddenException(message, code, status);
      case UNPROCESSABLE -> new InvalidException(message, code, status);
      case TOO_MANY_REQUESTS ->
          new TooManyRequestsException(message, code, status, retryAfter(answer, status));
      default ->
          refused.problem() == FailureCause.INVALID
              ? new InvalidException(message, code, status)
              : new ApiException(message, code, status, null, retryAfter(answer, status));
    };
  }

  /**
   * Returns whether the object of a subresource exists. The server reports a missing subresource of
   * a custom resource as if the object were missing.
   */
  private boolean objectExists(ApiRequest request) {
    ApiRequest object =
        ApiRequest.of("get", "GET", request.type(), request.namespace(), request.name());
    try {
      send(object);
      return true;
    } catch (ApiException e) {
      return false;
    }
  }

  /** Returns the longer of the delays that the header and the body of a response request. */
  private static Duration retryAfter(HttpResponse<?> response, @Nullable Status status) {
    Duration inHeader = RetryAfter.of(response.header("Retry-After"), response.header("Date"));
    Duration inBody = ApiException.inBody(status);
    return inBody.compareTo(inHeader) > 0 ? inBody : inHeader;
  }
}
