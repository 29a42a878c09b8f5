// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A client that sends each request through a connection of a {@link ConnectionPool}. It passes
 * requests that this package does not support to the {@link FallbackClient}.
 */
final class SocketClient
    extends StandardHttpClient<SocketClient, SocketTransport, SocketClientBuilder> {

  private final ConnectionPool pool;
  private final FallbackClient fallback;

  SocketClient(
      SocketClientBuilder builder,
      AtomicBoolean closed,
      ConnectionPool pool,
      FallbackClient fallback) {
    super(builder, closed);
    this.pool = pool;
    this.fallback = fallback;
  }

  ConnectionPool pool() {
    return pool;
  }

  FallbackClient fallback() {
    return fallback;
  }

  /**
   * Sends a request. If the caller cancels the future of a read, the connection is closed. A write
   * is not cancelled, because the server may have received it.
   */
  @Override
  public CompletableFuture<HttpResponse<AsyncBody>> consumeBytes(
      HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    if (!request.method().equals("GET")) {
      return super.consumeBytes(request, consumer);
    }
    CancellableRead read = new CancellableRead(consumer);
    CompletableFuture<HttpResponse<AsyncBody>> response = super.consumeBytes(request, read);
    var unused =
        response.whenComplete(
            (arrived, failure) -> {
              if (response.isCancelled()) {
                read.cancel();
              }
            });
    return response;
  }

  @Override
  public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
      StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    HttpClient.ProxyType proxy = builder.getProxyType();
    try {
      if (proxy == HttpClient.ProxyType.SOCKS4 || proxy == HttpClient.ProxyType.SOCKS5) {
        return fallback.get("a SOCKS proxy").consumeBytesDirect(request, consumer);
      }
      if (consumer instanceof CancellableRead read) {
        return read.sentBy(to -> pool.send(RequestMessage.of(request), to));
      }
      return pool.send(RequestMessage.of(request), consumer);
    } catch (IllegalArgumentException | IllegalStateException e) {
      return CompletableFuture.failedFuture(e); // fabric8 loses exceptions that a retry throws
    }
  }

  @Override
  public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
      StandardWebSocketBuilder request, WebSocket.Listener listener) {
    try {
      return fallback.get("a WebSocket").buildWebSocketDirect(request, listener);
    } catch (IllegalArgumentException | IllegalStateException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  protected void doClose() {
    pool.close();
    fallback.close();
  }
}
