// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader.fencing;

import dev.windlass.leader.Fence;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/**
 * A wrapper around fabric8's HTTP client. It passes writes and WebSockets through a fence, and
 * tracks them while they are in progress. WebSockets must pass the fence because exec, attach and
 * port-forward act on the cluster like writes. A closed fence rejects writes and WebSockets. When a
 * fence closes, it also closes open WebSockets. Derived clients have the same fence.
 */
final class FencedHttpClient implements HttpClient {

  private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");

  private final HttpClient delegate;
  private final Fence fence;
  private final ThreadFactory threads;

  /**
   * Creates a wrapper around a client that already checks the fence before each write.
   *
   * @param threads the factory of the threads that notify a WebSocket's listener if the fence
   *     closes the WebSocket
   */
  FencedHttpClient(HttpClient delegate, Fence fence, ThreadFactory threads) {
    this.delegate = delegate;
    this.fence = fence;
    this.threads = threads;
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, Class<T> type) {
    return noted(request, () -> delegate.sendAsync(request, type));
  }

  @Override
  public CompletableFuture<HttpResponse<AsyncBody>> consumeBytes(
      HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    return noted(request, () -> delegate.consumeBytes(request, consumer));
  }

  private <T> CompletableFuture<T> noted(
      HttpRequest request, Supplier<CompletableFuture<T>> sending) {
    if (READS.contains(request.method())) {
      return sending.get();
    }
    Fence.Action action = fence.pass(() -> {}); // a request that was sent can't be recalled
    CompletableFuture<T> sent;
    try {
      sent = sending.get();
    } catch (RuntimeException | Error e) {
      action.ended();
      throw e;
    }
    CompletableFuture<T> unused = sent.whenComplete((answer, failure) -> action.ended());
    return sent;
  }

  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    return new FencedSocketBuilder(delegate.newWebSocketBuilder(), fence, threads);
  }

  @Override
  public HttpRequest.Builder newHttpRequestBuilder() {
    return delegate.newHttpRequestBuilder();
  }

  @Override
  public DerivedClientBuilder newBuilder() {
    return new Derived(delegate.newBuilder());
  }

  @Override
  public boolean isClosed() {
    return delegate.isClosed();
  }

  @Override
  public void close() {
    delegate.close();
  }

  private final class Derived implements DerivedClientBuilder {
    private final DerivedClientBuilder builder;

    Derived(DerivedClientBuilder builder) {
      this.builder = builder;
    }

    @Override
    public HttpClient build() {
      return new FencedHttpClient(builder.build(), fence, threads);
    }

    @Override
    public DerivedClientBuilder addOrReplaceInterceptor(String name, Interceptor interceptor) {
      builder.addOrReplaceInterceptor(name, interceptor);
      return this;
    }

    @Override
    public DerivedClientBuilder authenticatorNone() {
      builder.authenticatorNone();
      return this;
    }

    @Override
    public DerivedClientBuilder tag(Object value) {
      builder.tag(value);
      return this;
    }
  }
}
