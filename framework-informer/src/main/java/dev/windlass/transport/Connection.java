// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.scheduling.DurationText;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.scheduling.Scheduler;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a server, with a thread that serves exchanges one after another. This class is
 * thread-safe, except that {@link #serve} can be called only if the connection is new or idle. The
 * {@link ConnectionPool} ensures this.
 *
 * <p>The connection becomes idle before it notifies the caller that the response is complete, so
 * the caller's next request can use the same connection. At this point, the thread may still be
 * executing the caller's code, which can take a long time or even send the next request. If there
 * is another request in the meantime, another thread takes over the connection.
 */
final class Connection implements Runnable {

  /** The idle time after which a connection is checked before it is used again: 1 s. */
  private static final Duration FRESH = Duration.ofSeconds(1);

  private static final AtomicLong COUNT = new AtomicLong();

  private final Origin origin;
  private final Dialer dialer;
  private final ConnectionPool pool;
  private final Scheduler scheduler;
  private final String name = "windlass-http-".concat(Long.toString(COUNT.incrementAndGet()));

  /** The exchange that the thread is serving or will serve next; null if the connection is idle. */
  @GuardedBy("this")
  private @Nullable Exchange exchange;

  @GuardedBy("this")
  private @Nullable Thread thread;

  /** Whether the thread is waiting for an exchange. */
  @GuardedBy("this")
  private boolean waiting;

  @GuardedBy("this")
  private @Nullable Socket socket;

  @GuardedBy("this")
  private boolean aborted;

  private volatile long idleSince;

  /**
   * Reads and writes the connection's bytes; null if no socket is open. Only the connection's
   * thread uses this field.
   */
  private @Nullable Wire wire;

  Connection(Origin origin, Dialer dialer, ConnectionPool pool, Scheduler scheduler) {
    this.origin = origin;
    this.dialer = dialer;
    this.pool = pool;
    this.scheduler = scheduler;
  }

  Origin origin() {
    return origin;
  }

  /**
   * Returns how long the connection has been idle. The result is valid only while the connection is
   * idle.
   */
  Duration idleTime() {
    return Duration.ofNanos(scheduler.nanoTime() - idleSince);
  }

  boolean isUnusedSince(long time) {
    return idleSince - time <= 0;
  }

  /**
   * Starts to serve an exchange on the connection's thread. The exchange fails if the connection
   * has been aborted.
   */
  void serve(Exchange next) {
    next.servedBy(this);
    synchronized (this) {
      if (!aborted) {
        exchange = next;
        if (waiting) {
          notifyAll();
        } else {
          startThread();
        }
        return;
      }
    }
    next.fail(closed());
  }

  @GuardedBy("this")
  private void startThread() {
    thread = new Thread(null, this, name, 0, false);
    thread.setDaemon(true);
    FatalErrors.start(thread);
  }

  /**
   * Closes the connection immediately, without notifying the caller. This method closes only the
   * TCP connection, because closing the TLS connection would block until the server reads.
   */
  void abort() {
    Socket open;
    synchronized (this) {
      aborted = true;
      open = socket;
      notifyAll();
    }
    close(open);
  }

  /**
   * Closes the connection immediately, because its server was silent, or the caller no longer waits
   * for it. Also closes the idle connections to this server that were not used during this time. If
   * a firewall has forgotten this connection, it has forgotten them as well, so that the next
   * request must not use one of them.
   *
   * @param since the time since which the server has been silent, as a value of {@link
   *     Scheduler#nanoTime}
   */
  void giveUp(long since) {
    abort();
    pool.closeUnusedSince(since, origin);
  }

  /** Closes the connection. If it is serving a request, the request fails. */
  void close() {
    Exchange unfinished;
    synchronized (this) {
      unfinished = exchange;
    }
    abort();
    if (unfinished != null) {
      unfinished.fail(closed());
    }
  }

  private static IOException closed() {
    return new IOException("the client has been closed");
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

  @Override
  public void run() {
    Exchange next;
    do {
      next = next();
    } while (next != null && perform(next));
    if (isCurrent()) {
      abort();
      pool.ended(this);
    }
  }

  private synchronized boolean isCurrent() {
    return thread == Thread.currentThread();
  }

  /**
   * Waits for an exchange and returns it. Returns null if the connection has been aborted or
   * another thread has taken it over.
   */
  private synchronized @Nullable Exchange next() {
    while (!aborted && isCurrent()) {
      if (exchange != null) {
        return exchange;
      }
      waiting = true;
      try {
        wait();
      } catch (InterruptedException e) {
        // A caller's code has interrupted this thread, which does not concern the connection.
      }
      waiting = false;
    }
    return null;
  }

  /** Serves an exchange, and returns whether the connection can serve another one. */
  private boolean perform(Exchange served) {
    RequestMessage request = served.request();
    boolean reusable;
    try {
      Wire open = send(request);
      ResponseHead head = ResponseHead.read(open);
      BodyReader body = BodyReader.of(head, request.isHead(), open);
      open.patience(request.bodyTimeout());
      reusable = head.persistent() && body.leavesOpen();
      served.answered(head);
      if (!pass(body, served)) {
        return false;
      }
    } catch (Exception | Error e) {
      served.fail(isAborted() ? closed() : e);
      if (FatalErrors.isFatal(e)) { // tell the owner of the scheduler, who is that of this thread
        scheduler.schedule(() -> FatalErrors.rethrow(e), Duration.ZERO);
      }
      return false;
    }
    if (!served.end()) {
      return false;
    }
    boolean open = reusable && becomeIdle();
    served.succeed();
    return open;
  }

  private synchronized boolean isAborted() {
    return aborted;
  }

  private boolean becomeIdle() {
    synchronized (this) {
      exchange = null;
    }
    idleSince = scheduler.nanoTime();
    return pool.release(this);
  }

  /** Passes the body to the caller. Returns false if the caller has cancelled the exchange. */
  private boolean pass(BodyReader body, Exchange served) throws Exception {
    while (!body.isAtEnd()) {
      if (!served.awaitDemand()) {
        return false;
      }
      ByteBuffer piece;
      try {
        piece = body.next();
      } catch (SocketTimeoutException e) {
        pool.closeUnusedSince(served.lastHeard(), origin);
        throw new SocketTimeoutException(
            origin + " paused its response for " + DurationText.of(served.request().bodyTimeout()));
      }
      if (piece == null) {
        return true;
      }
      served.deliver(piece);
    }
    return true;
  }

  /** Sends a request, and waits until the response begins. */
  private Wire send(RequestMessage request) throws IOException {
    Wire idle = wire;
    if (idle != null && isOpen(idle)) {
      try {
        return send(request, idle);
      } catch (IOException e) {
        if (isAborted() || request.hasStream()) {
          throw e; // the stream itself may have failed
        }
        if (!request.isRepeatable()) {
          throw new IOException(
              origin
                  + " closed the connection without an answer. It may have performed the request,"
                  + " so the request is not sent again",
              e);
        }
      }
    }
    return send(request, connect());
  }

  private boolean isOpen(Wire idle) {
    return !idle.hasExcess() && (idleTime().compareTo(FRESH) < 0 || !idle.isClosed());
  }

  private Wire send(RequestMessage request, Wire open) throws IOException {
    open.patience(Duration.ZERO); // the exchange limits the time until the response
    try {
      request.writeTo(open.out(), dialer.forwardsRequests(origin), dialer.authorizationFor(origin));
    } catch (SocketException e) {
      if (!open.hasAnswered()) {
        throw e;
      }
      // The server has rejected a large body without reading it, for example with status 413.
      wire = null; // the server has closed the connection
    }
    open.awaitResponse();
    return open;
  }

  private Wire connect() throws IOException {
    synchronized (this) {
      close(socket);
    }
    wire = null;
    Wire open = dialer.dial(origin, this);
    wire = open;
    return open;
  }

  /** Records the socket before it connects, so that {@link #abort} can close it. */
  synchronized void opened(Socket created) {
    socket = created;
    if (aborted) {
      close(created);
    }
  }
}
