// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader.fencing;

import dev.windlass.client.transport.Repetition;
import dev.windlass.leader.Fence;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.utils.Utils;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A wrapper around fabric8's HTTP client. It passes writes and WebSockets through a fence, and
 * tracks them while they are in progress. WebSockets must pass the fence because exec, attach and
 * port-forward act on the cluster like writes. A closed fence rejects writes and WebSockets. When a
 * fence closes, it also closes open WebSockets. Derived clients have the same fence.
 *
 * <p>A write is in progress until its response has arrived, it has failed or its time limit has
 * expired, even if its caller no longer waits. If the server rejects the credentials of a write and
 * others are available, this class sends the write once more as a new request: the write must pass
 * the fence again, gets a new time limit, and is not sent if its caller no longer waits. Writes are
 * never retried for other reasons, even if the client is configured for retries.
 */
final class FencedHttpClient implements HttpClient {

  private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");

  /** fabric8 retries on a thread of its own, which is not in the reconcile that writes. */
  private static final RequestConfig WITHOUT_RETRY =
      new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build();

  private final HttpClient delegate;

  /** The delegate for writes; it leaves their repetition to this class. */
  private final HttpClient writer;

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
    this.writer = tagged(delegate, Repetition.BY_SENDER);
    this.fence = fence;
    this.threads = threads;
  }

  /**
   * Returns a variant of a client that handles the repetition of requests in the given way, and
   * never retries a request.
   */
  static HttpClient tagged(HttpClient client, Repetition repetition) {
    return client.newBuilder().tag(repetition).tag(WITHOUT_RETRY).build();
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, Class<T> type) {
    return READS.contains(request.method())
        ? delegate.sendAsync(request, type)
        : write(client -> client.sendAsync(request, type));
  }

  @Override
  public CompletableFuture<HttpResponse<AsyncBody>> consumeBytes(
      HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    return READS.contains(request.method())
        ? delegate.consumeBytes(request, consumer)
        : write(client -> client.consumeBytes(request, consumer));
  }

  private <T> CompletableFuture<HttpResponse<T>> write(
      Function<HttpClient, CompletableFuture<HttpResponse<T>>> sending) {
    Fence.Action action = fence.pass(() -> {}); // a request that was sent can't be recalled
    CompletableFuture<HttpResponse<T>> sent;
    try {
      sent = sending.apply(writer);
    } catch (RuntimeException | Error e) {
      action.ended();
      throw e;
    }
    CompletableFuture<HttpResponse<T>> result = new CompletableFuture<>();
    Repeated.atMostOnce(
        sent,
        result,
        () -> sending.apply(tagged(delegate, Repetition.NEVER)),
        (response, failure) -> {
          action.ended();
          if (response == null) {
            result.completeExceptionally(failure);
          } else if (!result.complete(response)) {
            discard(response.body());
          }
        });
    return result;
  }

  /** Releases the connection of a response for which the caller no longer waits. */
  private static void discard(@Nullable Object body) {
    if (body instanceof AsyncBody unread) {
      unread.cancel();
    } else if (body instanceof Closeable unread) {
      Utils.closeQuietly(unread);
    }
  }

  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    return new FencedSocketBuilder(delegate, fence, threads);
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
