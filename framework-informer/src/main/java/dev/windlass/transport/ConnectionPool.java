// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of a client. A request uses the most recently used idle connection to its
 * server, or a new connection if none is idle. This class is thread-safe.
 */
final class ConnectionPool implements AutoCloseable {

  /**
   * The time after which an idle connection is closed: 30 s. API servers and load balancers keep
   * idle connections open for longer.
   */
  static final Duration IDLE = Duration.ofSeconds(30);

  private final Dialer dialer;
  private final Scheduler scheduler;

  /** The idle connections, in the order in which they became idle. */
  @GuardedBy("this")
  private final ArrayDeque<Connection> idle = new ArrayDeque<>();

  @GuardedBy("this")
  private final Set<Connection> open = new HashSet<>();

  /** The alarm that calls {@link #closeIdle()}; null if no connection is idle. */
  @GuardedBy("this")
  private Scheduler.@Nullable Alarm alarm;

  @GuardedBy("this")
  private boolean closed;

  ConnectionPool(Dialer dialer, Scheduler scheduler) {
    this.dialer = dialer;
    this.scheduler = scheduler;
  }

  /**
   * Sends a request, and returns a future that is completed when the header of the response has
   * arrived.
   *
   * @throws IllegalStateException if the client is closed
   */
  CompletableFuture<HttpResponse<AsyncBody>> send(
      RequestMessage request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    Connection connection = take(request.origin());
    Exchange exchange = new Exchange(request, consumer, scheduler);
    try {
      connection.serve(exchange);
    } catch (IllegalStateException e) { // no thread can be started
      connection.abort();
      ended(connection);
      exchange.fail(e);
    }
    return exchange.response();
  }

  private synchronized Connection take(Origin origin) {
    if (closed) {
      throw new IllegalStateException("the client is closed");
    }
    for (Iterator<Connection> latest = idle.descendingIterator(); latest.hasNext(); ) {
      Connection connection = latest.next();
      if (connection.origin().equals(origin)) {
        latest.remove();
        return connection;
      }
    }
    Connection connection = new Connection(origin, dialer, this, scheduler);
    open.add(connection);
    return connection;
  }

  /**
   * Makes an idle connection available to other requests. Returns false if the client is closed.
   */
  synchronized boolean release(Connection connection) {
    if (closed) {
      return false;
    }
    idle.addLast(connection);
    if (alarm == null) {
      alarm = scheduler.schedule(this::closeIdle, IDLE);
    }
    return true;
  }

  private void closeIdle() {
    List<Connection> old = new ArrayList<>();
    synchronized (this) {
      while (!idle.isEmpty() && idle.getFirst().idleTime().compareTo(IDLE) >= 0) {
        old.add(idle.removeFirst());
      }
      alarm =
          idle.isEmpty()
              ? null
              : scheduler.schedule(this::closeIdle, IDLE.minus(idle.getFirst().idleTime()));
    }
    for (Connection connection : old) {
      connection.abort();
    }
  }

  void closeUnusedSince(long time, Origin origin) {
    List<Connection> unused;
    synchronized (this) {
      unused =
          idle.stream()
              .filter(each -> each.origin().equals(origin) && each.isUnusedSince(time))
              .toList();
      idle.removeAll(unused);
    }
    unused.forEach(Connection::abort);
  }

  synchronized void ended(Connection connection) {
    open.remove(connection);
  }

  /** Closes all connections. A request fails if its response is not complete. */
  @Override
  public void close() {
    List<Connection> all;
    synchronized (this) {
      closed = true;
      if (alarm != null) {
        alarm.cancel();
      }
      idle.clear();
      all = List.copyOf(open);
    }
    for (Connection connection : all) {
      connection.close();
    }
  }
}
