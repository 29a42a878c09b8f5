// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A transport that responds to every request with the same bytes. It responds on the caller's
 * thread.
 */
final class MemoryHttpClient
    extends StandardHttpClient<
        MemoryHttpClient, MemoryHttpClient.Factory, MemoryHttpClient.Builder> {

  private final Factory factory;

  private MemoryHttpClient(Builder builder, AtomicBoolean closed, Factory factory) {
    super(builder, closed);
    this.factory = factory;
  }

  /**
   * Creates clients that always return the same response.
   *
   * @param answer the body of the response
   * @param piece the number of bytes per chunk
   */
  @SuppressWarnings("ArrayRecordComponent") // records of this type are never compared
  record Factory(byte[] answer, int piece) implements HttpClient.Factory {
    @Override
    public Builder newBuilder() {
      return new Builder(this);
    }
  }

  /** Builds clients that return the response of a {@link Factory}. */
  static final class Builder extends StandardHttpClientBuilder<MemoryHttpClient, Factory, Builder> {

    private Builder(Factory factory) {
      super(factory);
    }

    @Override
    public MemoryHttpClient build() {
      return new MemoryHttpClient(this, new AtomicBoolean(), getClientFactory());
    }

    @Override
    protected Builder newInstance(Factory factory) {
      return new Builder(factory);
    }
  }

  /** A response body that delivers one chunk each time the consumer requests data. */
  private static final class Body implements AsyncBody {
    private final AsyncBody.Consumer<List<ByteBuffer>> consumer;
    private final ByteBuffer rest;
    private final int piece;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    Body(AsyncBody.Consumer<List<ByteBuffer>> consumer, Factory factory) {
      this.consumer = consumer;
      this.rest = ByteBuffer.wrap(factory.answer());
      this.piece = factory.piece();
    }

    @Override
    public void consume() {
      if (!rest.hasRemaining()) {
        done.complete(null);
        return;
      }
      int length = Math.min(piece, rest.remaining());
      ByteBuffer chunk = rest.slice(rest.position(), length);
      rest.position(rest.position() + length);
      try {
        consumer.consume(List.of(chunk), this);
      } catch (Exception e) {
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

  private record Response(HttpRequest request, AsyncBody body) implements HttpResponse<AsyncBody> {
    @Override
    public int code() {
      return 200;
    }

    @Override
    public Optional<HttpResponse<?>> previousResponse() {
      return Optional.empty();
    }

    @Override
    public List<String> headers(String name) {
      return List.of();
    }

    @Override
    public Map<String, List<String>> headers() {
      return Map.of();
    }
  }

  @Override
  public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
      StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    return CompletableFuture.completedFuture(new Response(request, new Body(consumer, factory)));
  }

  @Override
  public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
      StandardWebSocketBuilder builder, WebSocket.Listener listener) {
    throw new UnsupportedOperationException();
  }

  @Override
  protected void doClose() {}
}
