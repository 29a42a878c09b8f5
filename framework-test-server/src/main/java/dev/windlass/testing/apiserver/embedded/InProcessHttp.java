// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import dev.windlass.testing.apiserver.embedded.http.ApiResponse;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** An HTTP client for fabric8. An {@link InProcessApi} responds to its requests immediately. */
final class InProcessHttp
    extends StandardHttpClient<InProcessHttp, InProcessHttp.Factory, InProcessHttp.Builder> {

  private final InProcessApi api;

  private InProcessHttp(Builder builder, InProcessApi api) {
    super(builder, new AtomicBoolean());
    this.api = api;
  }

  /** A factory for builders of the client. */
  record Factory(InProcessApi api) implements HttpClient.Factory {
    @Override
    public Builder newBuilder() {
      return new Builder(this);
    }
  }

  /** A builder of the client. */
  static final class Builder extends StandardHttpClientBuilder<InProcessHttp, Factory, Builder> {
    Builder(Factory factory) {
      super(factory);
    }

    @Override
    public HttpClient build() {
      return new InProcessHttp(this, getClientFactory().api());
    }

    @Override
    protected Builder newInstance(Factory factory) {
      return new Builder(factory);
    }
  }

  @Override
  public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
      StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    String contentType = request.getContentType();
    ApiResponse answer =
        api.answer(
            request.method(),
            request.uri(),
            contentType == null ? "" : contentType,
            body(request.body()));
    Body body = new Body(ByteBuffer.wrap(Json.bytes(answer.body())), consumer);
    return CompletableFuture.completedFuture(new Response(request, answer.code(), body));
  }

  private static byte[] body(StandardHttpRequest.BodyContent body) {
    if (body instanceof StandardHttpRequest.StringBodyContent text) {
      return text.getContent().getBytes(StandardCharsets.UTF_8);
    }
    if (body instanceof StandardHttpRequest.ByteArrayBodyContent bytes) {
      return bytes.getContent();
    }
    return new byte[0];
  }

  @Override
  public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
      StandardWebSocketBuilder builder, WebSocket.Listener listener) {
    throw new UnsupportedOperationException(
        "web sockets are not supported: use an EmbeddedApiServer");
  }

  @Override
  protected void doClose() {}

  /** A response that is available as a whole. */
  private static final class Response extends StandardHttpHeaders
      implements HttpResponse<AsyncBody> {
    private final HttpRequest request;
    private final int code;
    private final AsyncBody body;

    Response(HttpRequest request, int code, AsyncBody body) {
      super(Map.of("Content-Type", List.of("application/json")));
      this.request = request;
      this.code = code;
      this.body = body;
    }

    @Override
    public int code() {
      return code;
    }

    @Override
    public AsyncBody body() {
      return body;
    }

    @Override
    public HttpRequest request() {
      return request;
    }

    @Override
    public Optional<HttpResponse<?>> previousResponse() {
      return Optional.empty();
    }
  }

  /** The body of a response, in one piece. */
  private static final class Body implements AsyncBody {
    private final ByteBuffer bytes;
    private final AsyncBody.Consumer<List<ByteBuffer>> consumer;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final AtomicBoolean delivered = new AtomicBoolean();

    Body(ByteBuffer bytes, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
      this.bytes = bytes;
      this.consumer = consumer;
    }

    @Override
    public void consume() {
      try {
        if (!delivered.getAndSet(true)) {
          consumer.consume(List.of(bytes), this);
        }
        done.complete(null);
      } catch (Exception e) { // pass any exception from the consumer to the waiting caller
        done.completeExceptionally(e);
      }
    }

    @Override
    public CompletableFuture<Void> done() {
      return done;
    }

    @Override
    public void cancel() {
      done.cancel(false);
    }
  }
}
