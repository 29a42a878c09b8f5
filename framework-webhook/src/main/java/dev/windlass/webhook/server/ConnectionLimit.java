// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Request;

/**
 * Limits the number of connections. If the limit has been reached, a new connection replaces an
 * existing one:
 *
 * <ul>
 *   <li>By default, it replaces the oldest connection that has not yet received a webhook request.
 *       Clients that connect and send nothing, or send slowly, therefore cannot block the API
 *       server.
 *   <li>If more than half of the limit is occupied by connections that have received webhook
 *       requests, it replaces the idle one that was least recently used. An API server opens
 *       connections for each CA bundle, and keeps idle connections for 90 s. If such connections
 *       occupied the whole limit, each new connection would interrupt the handshake of another one.
 * </ul>
 *
 * <p>This class is thread-safe.
 */
final class ConnectionLimit implements Connection.Listener {

  /** The maximum number of connections: 1,000. An API server opens a few dozen. */
  static final int MOST = 1_000;

  private final int most;

  /** The connections that have not yet received a webhook request, oldest first. */
  @GuardedBy("this")
  private final Map<EndPoint, SslConnection> unused = new LinkedHashMap<>();

  /** The connections that have received a webhook request, least recently used first. */
  @GuardedBy("this")
  private final Map<EndPoint, SslConnection> used = new LinkedHashMap<>();

  ConnectionLimit(int most) {
    this.most = most;
  }

  @Override
  public void onOpened(Connection opened) {
    if (!(opened instanceof SslConnection connection)) {
      return; // the HTTP connection inside a connection that is counted
    }
    Connection evicted = null;
    synchronized (this) {
      if (size() >= most) {
        evicted = removeOne();
      }
      unused.put(connection.getEndPoint(), connection);
    }
    if (evicted != null) {
      evicted.close();
    }
  }

  @GuardedBy("this")
  private Connection removeOne() {
    if (used.size() > most / 2) {
      for (Iterator<SslConnection> all = used.values().iterator(); all.hasNext(); ) {
        SslConnection connection = all.next();
        if (isIdle(connection)) {
          all.remove();
          return content(connection); // its close makes the client repeat what it has just sent
        }
      }
    }
    Iterator<SslConnection> oldest = (unused.isEmpty() ? used : unused).values().iterator();
    SslConnection connection = oldest.next();
    oldest.remove();
    return connection;
  }

  private static boolean isIdle(SslConnection connection) {
    return content(connection) instanceof HTTP2Connection http2
        ? http2.getSession().getStreams().isEmpty()
        : connection.getSslEndPoint().isFillInterested();
  }

  /**
   * Returns the HTTP connection inside a TLS connection, or the connection that negotiates the
   * protocol if the negotiation is not complete.
   */
  private static Connection content(SslConnection connection) {
    return connection.getSslEndPoint().getConnection();
  }

  @Override
  public synchronized void onClosed(Connection connection) {
    unused.remove(connection.getEndPoint());
    used.remove(connection.getEndPoint());
  }

  /** Records that the connection of a request has received a webhook request. */
  void served(Request request) {
    EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
    while (endPoint instanceof EndPoint.Wrapper wrapper) {
      endPoint = wrapper.unwrap();
    }
    synchronized (this) {
      SslConnection connection = unused.remove(endPoint);
      if (connection == null) {
        connection = used.remove(endPoint);
      }
      if (connection != null) { // the connection may have been closed
        used.put(endPoint, connection);
      }
    }
  }

  /** Returns the number of open connections. */
  synchronized int size() {
    return unused.size() + used.size();
  }
}
