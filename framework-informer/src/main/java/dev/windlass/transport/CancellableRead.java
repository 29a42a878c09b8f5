// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Connects the future that a caller receives with the request that is being sent for it. fabric8's
 * client does not pass on the cancellation of this future. The connection and its thread would
 * otherwise wait until the server responds, which may be never. This class is thread-safe.
 */
final class CancellableRead implements AsyncBody.Consumer<List<ByteBuffer>> {

  private final AsyncBody.Consumer<List<ByteBuffer>> consumer;

  @GuardedBy("this")
  private @Nullable CompletableFuture<HttpResponse<AsyncBody>> sent;

  @GuardedBy("this")
  private boolean cancelled;

  CancellableRead(AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    this.consumer = consumer;
  }

  /** Passes on the bytes of a transport that does not use {@link #sentBy}. */
  @Override
  public void consume(List<ByteBuffer> value, AsyncBody body) throws Exception {
    consumer.consume(value, body);
  }

  /**
   * Sends the request and records it. fabric8's client can do so several times.
   *
   * @param transport sends the request, whose response is for the given consumer
   */
  CompletableFuture<HttpResponse<AsyncBody>> sentBy(
      Function<AsyncBody.Consumer<List<ByteBuffer>>, CompletableFuture<HttpResponse<AsyncBody>>>
          transport) {
    CompletableFuture<HttpResponse<AsyncBody>> request = transport.apply(consumer);
    boolean late;
    synchronized (this) {
      sent = request;
      late = cancelled;
    }
    if (late) {
      request.cancel(true);
    }
    return request;
  }

  /** Cancels the request if its response has not arrived. */
  void cancel() {
    CompletableFuture<HttpResponse<AsyncBody>> pending;
    synchronized (this) {
      cancelled = true;
      pending = sent;
    }
    if (pending != null) {
      pending.cancel(true);
    }
  }
}
