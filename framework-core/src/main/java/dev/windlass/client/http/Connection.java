// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.http;

import dev.windlass.scheduling.Scheduler;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a server, and its thread, which serves one exchange after another. {@link
 * #abort()} is thread-safe. {@link #serve} must be called by one thread at a time, which the {@link
 * ConnectionPool} ensures.
 */
final class Connection {

  /** The idle time after which a connection is checked before it is used: 1 s. */
  private static final Duration FRESH = Duration.ofSeconds(1);

  private static final AtomicLong COUNT = new AtomicLong();

  private final Origin origin;
  private final Dialer dialer;
  private final ConnectionPool pool;
  private final Scheduler scheduler;
  private final BlockingQueue<Exchange> next = new ArrayBlockingQueue<>(1);
  private final Thread thread;

  private volatile @Nullable Socket socket;
  private volatile boolean aborted;

  private volatile long idleSince;

  /** Used by the thread only. */
  private @Nullable Wire wire;

  Connection(Origin origin, Dialer dialer, ConnectionPool pool, Scheduler scheduler) {
    this.origin = origin;
    this.dialer = dialer;
    this.pool = pool;
    this.scheduler = scheduler;
    this.idleSince = scheduler.nanoTime();
    this.thread = new Thread(this::run, "windlass-http-" + COUNT.incrementAndGet());
    thread.setDaemon(true);
  }

  Origin origin() {
    return origin;
  }

  void start() {
    thread.start();
  }

  /** Serves an exchange. The connection must be new, or have been taken from the pool. */
  void serve(Exchange exchange) {
    next.add(exchange);
    exchange.servedBy(this);
  }

  /** Closes the connection at once. The request that it serves fails. Idempotent. */
  void abort() {
    aborted = true;
    close(socket);
    thread.interrupt();
  }

  private static void close(@Nullable Socket socket) {
    if (socket != null) {
      try {
        socket.close();
      } catch (IOException e) {
        // There is nothing else to release.
      }
    }
  }

  /** Returns for how long the connection has been idle, if it is idle. */
  Duration idleTime() {
    return Duration.ofNanos(scheduler.nanoTime() - idleSince);
  }

  private void run() {
    try {
      boolean open = true;
      while (open) {
        open = perform(next.take());
        idleSince = scheduler.nanoTime();
        open = open && pool.release(this);
      }
    } catch (InterruptedException e) {
      // The connection has been idle for too long, or the client has been closed.
    } finally {
      pool.ended(this);
      close(socket);
      Exchange late = next.poll();
      if (late != null) {
        late.fail(new IOException("the client has been closed"));
      }
    }
  }

  /** Serves an exchange. Returns whether the connection can serve another one. */
  private boolean perform(Exchange exchange) {
    RequestMessage request = exchange.request();
    boolean reusable;
    try {
      Wire open = send(request);
      ResponseHead head = ResponseHead.read(open);
      BodyReader body = BodyReader.of(head, request.isHead(), open);
      open.patience(request.bodyTimeout());
      reusable = head.persistent() && body.leavesOpen();
      exchange.answered(head);
      if (!pass(body, exchange)) {
        return false;
      }
    } catch (Exception | Error e) {
      exchange.fail(e);
      return false;
    }
    if (!exchange.end()) {
      return false;
    }
    exchange.succeed();
    return reusable;
  }

  /** Passes the body to the caller. Returns false if the caller has cancelled the exchange. */
  private static boolean pass(BodyReader body, Exchange exchange) throws Exception {
    while (!body.isAtEnd()) {
      if (!exchange.awaitDemand()) {
        return false;
      }
      ByteBuffer piece = body.next();
      if (piece == null) {
        return true;
      }
      exchange.deliver(piece);
    }
    return true;
  }

  /** Sends a request, and waits until the response begins. */
  private Wire send(RequestMessage request) throws IOException {
    Wire idle = wire;
    if (idle != null && !isClosedByServer(idle)) {
      try {
        return send(request, idle);
      } catch (IOException e) {
        if (aborted || !request.isRepeatable()) {
          throw e;
        }
        // The server has closed the idle connection at this moment.
      }
    }
    return send(request, connect());
  }

  private boolean isClosedByServer(Wire idle) {
    return idleTime().compareTo(FRESH) >= 0 && idle.isStale();
  }

  private Wire send(RequestMessage request, Wire open) throws IOException {
    open.patience(Duration.ZERO); // the exchange limits the time until the response
    request.writeTo(open.out(), dialer.forwardsRequests(origin), dialer.authorizationFor(origin));
    open.awaitResponse();
    return open;
  }

  private Wire connect() throws IOException {
    close(socket);
    wire = null;
    Wire open = new Wire(dialer.dial(origin, this::opened));
    wire = open;
    return open;
  }

  /** Records the socket before it connects, so that an abort can close it. */
  private void opened(Socket created) {
    socket = created;
    if (aborted) {
      close(created);
    }
  }
}
