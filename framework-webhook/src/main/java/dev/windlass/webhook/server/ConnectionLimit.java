// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Request;

/**
 * Limits the number of connections. If there are too many, closes the oldest connection that has
 * not received a webhook request. Clients that connect and send nothing, or send slowly, therefore
 * cannot block the API server. Thread-safe.
 */
final class ConnectionLimit implements Connection.Listener {

  /** The maximum number of connections: 1,000. An API server opens a few dozen. */
  static final int MOST = 1_000;

  private final int most;

  /** The open connections, oldest first, and whether they have received a webhook request. */
  @GuardedBy("this")
  private final Map<EndPoint, Boolean> open = new LinkedHashMap<>();

  ConnectionLimit(int most) {
    this.most = most;
  }

  @Override
  public void onOpened(Connection connection) {
    if (!(connection instanceof SslConnection)) {
      return; // the HTTP connection inside a connection that is counted
    }
    EndPoint evicted = null;
    synchronized (this) {
      if (open.size() >= most) {
        evicted = oldest();
        open.remove(evicted);
      }
      open.put(connection.getEndPoint(), false);
    }
    if (evicted != null) {
      evicted.close(new IllegalStateException("closed in favour of a newer connection"));
    }
  }

  @GuardedBy("this")
  private EndPoint oldest() {
    for (Map.Entry<EndPoint, Boolean> entry : open.entrySet()) {
      if (!entry.getValue()) {
        return entry.getKey();
      }
    }
    Iterator<EndPoint> all = open.keySet().iterator();
    return all.next();
  }

  @Override
  public synchronized void onClosed(Connection connection) {
    open.remove(connection.getEndPoint());
  }

  /** Records that the connection of a request has received a webhook request. */
  void served(Request request) {
    EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
    while (endPoint instanceof EndPoint.Wrapper wrapper) {
      endPoint = wrapper.unwrap();
    }
    synchronized (this) {
      open.replace(endPoint, true);
    }
  }

  /** Returns the number of open connections. */
  synchronized int size() {
    return open.size();
  }
}
