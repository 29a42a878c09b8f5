// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Simulates a faulty network for tests. The proxy listens on a loopback port and forwards
 * connections to a server. It does not inspect the traffic, so it can also forward TLS.
 *
 * <p>Initially, the simulated network has no faults. {@link #cut()} closes all connections,
 * including new connections. {@link #freeze()} leaves connections open but stops all traffic, like
 * a firewall that has dropped the state of the connections. Other methods make the network slow, or
 * make it lose responses, reset connections, or close idle connections. These faults can be
 * combined, and end when {@link #heal()} is called.
 *
 * <p>This class is thread-safe. No method waits for connections to close.
 */
public final class TcpProxy implements AutoCloseable {

  private final ServerSocket door;
  private final Network network = new Network();
  private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicInteger opened = new AtomicInteger();
  private volatile InetSocketAddress target;

  private TcpProxy(int port) {
    this.target = loopback(port);
    try {
      door = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("no free loopback port", e);
    }
    start("proxy-" + door.getLocalPort(), this::accept);
  }

  /** Creates a proxy without faults. It forwards connections to the given port on this machine. */
  public static TcpProxy to(int port) {
    return new TcpProxy(port);
  }

  /**
   * Returns the port of the proxy. Clients must connect to this port instead of the server's port.
   */
  public int port() {
    return door.getLocalPort();
  }

  /** Closes all connections, and closes each new connection until {@link #heal()} is called. */
  public void cut() {
    network.change(conditions -> conditions.with(NetworkConditions.Mode.CUT));
    connections.forEach(ProxiedConnection::close);
  }

  /** Stops all traffic until {@link #heal()} is called. Connections remain open. */
  public void freeze() {
    network.change(conditions -> conditions.with(NetworkConditions.Mode.FROZEN));
  }

  /**
   * Permanently stops all traffic on the connections that are currently open. These connections are
   * not closed. New connections are not affected.
   */
  public void forget() {
    connections.forEach(ProxiedConnection::forget);
  }

  /**
   * Resets each connection after the given number of bytes from the server, until {@link #heal()}
   * is called. The client receives a TCP RST. The count starts with this call or, for a new
   * connection, with its first byte. The proxy sends all bytes before the reset, but some operating
   * systems discard the bytes that the client has not read when the reset arrives.
   *
   * @param bytes the number of bytes, at least 1
   */
  public void resetAfter(long bytes) {
    requirePositive(bytes, "bytes");
    network.change(conditions -> conditions.withResetAfter(bytes));
    connections.forEach(connection -> connection.resetAfter(bytes));
  }

  /**
   * Limits the data rate from the server to the client on each connection until {@link #heal()} is
   * called. The proxy sends the data in small chunks, about 50 per second. It buffers up to 1 MiB
   * for each connection before it slows down the server.
   *
   * @param bytesPerSecond the rate in bytes per second, at least 1
   */
  public void throttle(int bytesPerSecond) {
    requirePositive(bytesPerSecond, "bytesPerSecond");
    network.change(conditions -> conditions.withBytesPerSecond(bytesPerSecond));
  }

  /**
   * Delays each byte from the server to a client until {@link #heal()} is called. Bytes that are
   * already in transit are also delayed. Bytes in the other direction are not delayed.
   *
   * @param latency the delay, which must not be negative
   */
  public void latency(Duration latency) {
    if (latency.isNegative()) {
      throw new IllegalArgumentException("latency must not be negative: " + latency);
    }
    network.change(conditions -> conditions.withLatency(latency));
  }

  /**
   * Closes connections that have been idle for the given time, as a load balancer does, until
   * {@link #heal()} is called. Client and server receive a FIN. If a connection has already been
   * idle for this time, the proxy closes it immediately.
   *
   * @param idle the time without traffic, which must be positive
   */
  public void closeIdleAfter(Duration idle) {
    requirePositive(NetworkConditions.saturatedNanos(idle), "idle");
    network.change(conditions -> conditions.withIdleLimit(idle));
    connections.forEach(ProxiedConnection::closeWhenIdle);
  }

  /**
   * Forwards requests but discards the responses until {@link #heal()} is called. {@link #heal()}
   * resets the connections that have lost data. With TLS, the proxy forwards requests only on open
   * connections, because the handshake of a new connection requires responses.
   */
  public void dropAnswers() {
    network.change(NetworkConditions::withoutAnswers);
  }

  /** Directs new connections to another port on this machine. Open connections are unaffected. */
  public void retarget(int port) {
    target = loopback(port);
  }

  /**
   * Removes all faults, except that connections stopped by {@link #forget()} remain stalled. The
   * target port does not change.
   */
  public void heal() {
    network.change(conditions -> NetworkConditions.CLEAR);
    connections.forEach(ProxiedConnection::heal);
  }

  /**
   * Returns the number of connections that this proxy has opened to a server since it was created.
   */
  public int connectionsOpened() {
    return opened.get();
  }

  /**
   * Returns the number of connections that are currently open, including connections without
   * traffic.
   */
  public int openConnections() {
    return connections.size();
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        Socket client = door.accept();
        if (isCut()) {
          client.close();
          continue;
        }
        connect(client);
      } catch (IOException e) {
        // The listening socket was closed, or the server refuses the connection. In both cases, the
        // client's connection is closed.
      }
    }
  }

  private boolean isCut() {
    return network.now().mode() == NetworkConditions.Mode.CUT;
  }

  private void connect(Socket client) throws IOException {
    Socket server = new Socket();
    try {
      server.connect(target);
    } catch (IOException e) {
      client.close();
      throw e;
    }
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    ProxiedConnection connection =
        new ProxiedConnection(client, server, network, connections::remove);
    connections.add(connection);
    opened.incrementAndGet();
    connection.start();
    if (isCut()) { // the network was cut after accept, and cut() may have missed this connection
      connection.close();
    }
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private static void requirePositive(long value, String name) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be positive: " + value);
    }
  }

  static void start(String name, Runnable action) {
    Thread thread = new Thread(action, name);
    thread.setDaemon(true);
    thread.start();
  }

  static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // No further action can close the socket.
    }
  }

  /** Closes all connections and releases the port. */
  @Override
  public void close() {
    try {
      door.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
    network.close();
  }
}
