// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

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
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An HTTP client for fabric8 that sends requests through an {@link InMemoryTransport}. */
final class InMemoryHttp
    extends StandardHttpClient<InMemoryHttp, InMemoryTransport, InMemoryHttp.Builder> {

  private static final Map<String, List<String>> JSON =
      Map.of("Content-Type", List.of("application/json"));
  private static final Map<String, List<String>> TEXT =
      Map.of("Content-Type", List.of("text/plain; charset=utf-8"));

  private final InMemoryTransport transport;

  private InMemoryHttp(Builder builder, InMemoryTransport transport) {
    super(builder, new AtomicBoolean());
    this.transport = transport;
  }

  /** A builder of the client. */
  static final class Builder
      extends StandardHttpClientBuilder<InMemoryHttp, InMemoryTransport, Builder> {
    Builder(InMemoryTransport transport) {
      super(transport);
    }

    @Override
    public HttpClient build() {
      return new InMemoryHttp(this, getClientFactory());
    }

    @Override
    protected Builder newInstance(InMemoryTransport transport) {
      return new Builder(transport);
    }
  }

  @Override
  public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
      StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    Reply reply;
    try {
      reply =
          transport.send(
              request.method(), request.uri(), name -> header(request, name), body(request.body()));
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
    return CompletableFuture.completedFuture(response(request, reply, consumer));
  }

  private static @Nullable String header(StandardHttpRequest request, String name) {
    return name.equals("Content-Type") ? request.getContentType() : request.header(name);
  }

  private Response response(
      StandardHttpRequest request, Reply reply, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    if (reply instanceof Reply.Watch watch) {
      return new Response(
          request,
          200,
          JSON,
          transport.open(watch, (bytes, body) -> consumer.consume(bytes, body)));
    }
    if (reply instanceof Reply.Document document) {
      Map<String, List<String>> headers = new HashMap<>(JSON);
      if (!document.warnings().isEmpty()) {
        headers.put("Warning", document.warnings());
      }
      if (document.code() == 429) {
        headers.put("Retry-After", List.of("1"));
      }
      Body body = new Body(ByteBuffer.wrap(Json.bytes(document.body())), consumer);
      return new Response(request, document.code(), headers, body);
    }
    Reply.Text text = (Reply.Text) reply;
    byte[] bytes = text.body().getBytes(StandardCharsets.UTF_8);
    return new Response(request, text.code(), TEXT, new Body(ByteBuffer.wrap(bytes), consumer));
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
        "WebSockets are not supported in memory: use a client with clientConfig()");
  }

  @Override
  protected void doClose() {}

  /** A response whose whole body is available. */
  private static final class Response extends StandardHttpHeaders
      implements HttpResponse<AsyncBody> {
    private final HttpRequest request;
    private final int code;
    private final AsyncBody body;

    Response(HttpRequest request, int code, Map<String, List<String>> headers, AsyncBody body) {
      super(headers);
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

  /** A response body, in one piece. */
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
