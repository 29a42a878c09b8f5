// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The open connections of a client. A request uses the connection that became idle last, or a new
 * one if no connection is idle. This class is thread-safe.
 */
final class ConnectionPool implements AutoCloseable {

  /** How long an idle connection stays open: 30 s, less than API servers and load balancers do. */
  static final Duration IDLE = Duration.ofSeconds(30);

  private final Dialer dialer;
  private final Scheduler scheduler;

  @GuardedBy("this")
  private final Map<Origin, ArrayDeque<Connection>> idle = new HashMap<>();

  @GuardedBy("this")
  private final Set<Connection> open = new HashSet<>();

  /** Whether {@link #closeIdle()} is scheduled. */
  @GuardedBy("this")
  private boolean closing;

  @GuardedBy("this")
  private Scheduler.Alarm alarm = () -> {};

  @GuardedBy("this")
  private boolean closed;

  ConnectionPool(Dialer dialer, Scheduler scheduler) {
    this.dialer = dialer;
    this.scheduler = scheduler;
  }

  /**
   * Sends a request. The returned future is completed when the header of the response has arrived.
   *
   * @throws IllegalStateException if the client is closed
   */
  CompletableFuture<HttpResponse<AsyncBody>> send(
      RequestMessage request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    boolean created = false;
    Connection connection;
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException("the client is closed");
      }
      ArrayDeque<Connection> candidates = idle.get(request.origin());
      connection = candidates == null ? null : candidates.pollLast();
      if (connection == null) {
        connection = new Connection(request.origin(), dialer, this, scheduler);
        created = true;
        open.add(connection);
      }
    }
    Exchange exchange = new Exchange(request, consumer, scheduler);
    connection.serve(exchange);
    if (created) {
      connection.start();
    }
    return exchange.response();
  }

  /** Makes a connection available. Returns false if the client is closed. */
  synchronized boolean release(Connection connection) {
    if (closed) {
      return false;
    }
    idle.computeIfAbsent(connection.origin(), origin -> new ArrayDeque<>()).addLast(connection);
    if (!closing) {
      closing = true;
      alarm = scheduler.schedule(this::closeIdle, IDLE);
    }
    return true;
  }

  /** Closes the connections that have been idle for too long. */
  private void closeIdle() {
    List<Connection> old = new ArrayList<>();
    synchronized (this) {
      Duration longest = Duration.ZERO;
      for (ArrayDeque<Connection> candidates : idle.values()) {
        while (!candidates.isEmpty() && candidates.getFirst().idleTime().compareTo(IDLE) >= 0) {
          old.add(candidates.removeFirst());
        }
        if (!candidates.isEmpty() && candidates.getFirst().idleTime().compareTo(longest) >= 0) {
          longest = candidates.getFirst().idleTime();
        }
      }
      idle.values().removeIf(ArrayDeque::isEmpty);
      closing = !closed && !idle.isEmpty();
      if (closing) {
        alarm = scheduler.schedule(this::closeIdle, IDLE.minus(longest));
      }
    }
    old.forEach(Connection::abort);
  }

  /** Forgets a connection that has ended. */
  synchronized void ended(Connection connection) {
    open.remove(connection);
  }

  /** Closes all connections. Requests without a complete response fail. */
  @Override
  public void close() {
    List<Connection> all;
    synchronized (this) {
      closed = true;
      alarm.cancel();
      idle.clear();
      all = List.copyOf(open);
    }
    all.forEach(Connection::abort);
  }
}
