// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.scheduling.DurationText;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request and its response. For each call to {@link #consume()}, the connection's thread passes
 * one piece of the body to the consumer. Otherwise, the thread waits. This class is thread-safe.
 */
final class Exchange implements AsyncBody {

  private final RequestMessage request;
  private final AsyncBody.Consumer<List<ByteBuffer>> consumer;
  private final CompletableFuture<HttpResponse<AsyncBody>> response = new CompletableFuture<>();
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  /** The number of pieces that the caller has requested but not yet received. */
  @GuardedBy("this")
  private int demand;

  /**
   * Whether the response has been read completely, or the exchange has failed or been cancelled.
   */
  @GuardedBy("this")
  private boolean ended;

  @GuardedBy("this")
  private @Nullable Connection connection;

  private final Scheduler scheduler;
  private volatile long lastHeard;

  Exchange(
      RequestMessage request, AsyncBody.Consumer<List<ByteBuffer>> consumer, Scheduler scheduler) {
    this.request = request;
    this.consumer = consumer;
    this.scheduler = scheduler;
    this.lastHeard = scheduler.nanoTime();
    Duration limit = request.timeout();
    Scheduler.@Nullable Alarm alarm =
        limit.isZero() ? null : scheduler.schedule(this::expire, limit);
    var unused =
        response.whenComplete(
            (head, failure) -> {
              if (alarm != null) {
                alarm.cancel();
              }
              if (failure != null) {
                cancel(); // has an effect only if the caller has cancelled the future
              }
            });
  }

  /**
   * Fails the response on a separate thread if it has not arrived within its time limit. The
   * failure runs the caller's code, which can block. The current thread must not block, because the
   * manager's timers also run on it.
   */
  private void expire() {
    if (response.isDone()) {
      return;
    }
    try {
      Thread thread = new Thread(null, this::giveUp, "windlass-http-timeout", 0, false);
      thread.setDaemon(true);
      FatalErrors.start(thread);
    } catch (IllegalStateException e) { // no thread can be started
      giveUp();
    }
  }

  private void giveUp() {
    if (!response.isDone()) {
      abort(
          new SocketTimeoutException(
              request.origin() + " did not answer within " + DurationText.of(request.timeout())));
    }
  }

  RequestMessage request() {
    return request;
  }

  CompletableFuture<HttpResponse<AsyncBody>> response() {
    return response;
  }

  /**
   * Returns the time at which the last bytes arrived, as a value of {@link Scheduler#nanoTime}, or
   * the start of this exchange if none have.
   */
  long lastHeard() {
    return lastHeard;
  }

  /** Records the connection that serves this exchange, so that {@link #cancel} can close it. */
  void servedBy(Connection server) {
    boolean late;
    synchronized (this) {
      connection = server;
      late = ended;
    }
    if (late) {
      server.abort();
    }
  }

  void answered(ResponseHead head) {
    lastHeard = scheduler.nanoTime();
    response.complete(new BodiedResponse(head, request.request(), this));
  }

  /**
   * Waits until the caller requests a piece of the body. Returns false if the caller has cancelled
   * the exchange.
   */
  synchronized boolean awaitDemand() {
    while (demand == 0 && !ended) {
      try {
        wait();
      } catch (InterruptedException e) {
        // The caller's code has interrupted this thread; only a cancellation ends an exchange.
      }
    }
    return !ended;
  }

  void deliver(ByteBuffer piece) throws Exception {
    lastHeard = scheduler.nanoTime();
    synchronized (this) {
      if (ended) {
        return;
      }
      demand--;
    }
    consumer.consume(List.of(piece), this);
  }

  /**
   * Ends the exchange, which can then no longer be cancelled. Returns false if the exchange had
   * already ended because it was cancelled.
   */
  synchronized boolean end() {
    boolean first = !ended;
    ended = true;
    notifyAll();
    return first;
  }

  void succeed() {
    done.complete(null);
  }

  /**
   * Ends the exchange and notifies the caller of the failure, unless the exchange has already
   * ended.
   */
  void fail(Throwable failure) {
    if (end() && !response.completeExceptionally(failure)) {
      done.completeExceptionally(failure);
    }
  }

  @Override
  public synchronized void consume() {
    demand++;
    notifyAll();
  }

  @Override
  public CompletableFuture<Void> done() {
    return done;
  }

  /** Cancels the exchange and closes its connection, unless the exchange has already ended. */
  @Override
  public void cancel() {
    abort(new CancellationException());
  }

  private void abort(Exception failure) {
    Connection serving;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      serving = connection;
      notifyAll();
    }
    if (serving != null) {
      serving.giveUp(lastHeard);
    }
    response.completeExceptionally(failure);
    done.completeExceptionally(failure);
  }
}
