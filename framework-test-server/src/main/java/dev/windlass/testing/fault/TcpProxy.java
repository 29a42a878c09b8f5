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
 * connections to a server.
 *
 * <p>The network has three modes: whole, cut (all connections are closed, including new
 * connections) and frozen (connections remain open but no data arrives, as behind a firewall that
 * has dropped the state of the connections). A whole network can also be slow, lose responses,
 * reset connections or close idle connections. These conditions can be combined and hold until
 * {@link #heal()}. The proxy does not inspect the traffic, so it also forwards TLS.
 *
 * <p>Any thread can call the methods. No method waits for connections to close.
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

  /** Creates a proxy without faults for the given port on this machine. */
  public static TcpProxy to(int port) {
    return new TcpProxy(port);
  }

  /** Returns the port to which clients connect instead of the server's port. */
  public int port() {
    return door.getLocalPort();
  }

  /** Closes all open connections, and closes each new connection until {@link #heal()}. */
  public void cut() {
    network.change(conditions -> conditions.with(NetworkConditions.Mode.CUT));
    connections.forEach(ProxiedConnection::close);
  }

  /** Keeps all connections open but stops all traffic, until {@link #heal()}. */
  public void freeze() {
    network.change(conditions -> conditions.with(NetworkConditions.Mode.FROZEN));
  }

  /**
   * Permanently stops all traffic on the connections that are open now, without closing these
   * connections. New connections are not affected.
   */
  public void forget() {
    connections.forEach(ProxiedConnection::forget);
  }

  /**
   * Resets each connection (TCP RST to the client) after the given number of further bytes from the
   * server, until {@link #heal()}. For new connections, the count starts with their first byte. The
   * proxy sends the bytes before the reset, but some operating systems discard the bytes that the
   * client has not read when the reset arrives.
   *
   * @param bytes the number of bytes, at least 1
   */
  public void resetAfter(long bytes) {
    requirePositive(bytes, "bytes");
    network.change(conditions -> conditions.withResetAfter(bytes));
    connections.forEach(connection -> connection.resetAfter(bytes));
  }

  /**
   * Limits the rate from the server to the client on each connection, until {@link #heal()}. The
   * proxy sends 50 portions of data per second. It buffers up to 1 MiB before it slows down the
   * server.
   *
   * @param bytesPerSecond the rate in bytes per second, at least 1
   */
  public void throttle(int bytesPerSecond) {
    requirePositive(bytesPerSecond, "bytesPerSecond");
    network.change(conditions -> conditions.withBytesPerSecond(bytesPerSecond));
  }

  /**
   * Delays each byte from the server to a client, including bytes already in transit, until {@link
   * #heal()}. Bytes in the other direction are not delayed.
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
   * Closes connections (FIN to both sides) after the given time without traffic, as a load balancer
   * does, until {@link #heal()}. The proxy immediately closes connections that have already been
   * idle for longer.
   *
   * @param idle the time without traffic, which must be positive
   */
  public void closeIdleAfter(Duration idle) {
    requirePositive(NetworkConditions.saturatedNanos(idle), "idle");
    network.change(conditions -> conditions.withIdleLimit(idle));
    connections.forEach(ProxiedConnection::closeWhenIdle);
  }

  /**
   * Forwards requests and discards the responses until {@link #heal()}. A call to {@link #heal()}
   * resets the connections that have lost data. With TLS, the proxy forwards requests only on
   * connections that are already open, because the handshake of a new connection requires
   * responses.
   */
  public void dropAnswers() {
    network.change(NetworkConditions::withoutAnswers);
  }

  /** Directs new connections to another port on this machine. Open connections are unaffected. */
  public void retarget(int port) {
    target = loopback(port);
  }

  /**
   * Removes all faults. Connections stopped by {@link #forget()} remain stalled. The target port is
   * unchanged.
   */
  public void heal() {
    network.change(conditions -> NetworkConditions.CLEAR);
    connections.forEach(ProxiedConnection::heal);
  }

  /** Returns the number of connections that this proxy has opened to a server since its start. */
  public int connectionsOpened() {
    return opened.get();
  }

  /** Returns the number of connections that are open now, including connections without traffic. */
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
