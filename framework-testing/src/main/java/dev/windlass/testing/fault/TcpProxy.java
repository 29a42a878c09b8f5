// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.fault;

import dev.windlass.time.Scheduler;
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
 * A network that a test can break: forwards the connections of a loopback port to a server.
 *
 * <p>It can be whole, cut (connections end, new ones are closed at once) or frozen (connections
 * stay open and nothing arrives any more, as behind a firewall that forgot them); and while it is
 * whole it can be slow, lose answers, reset connections or close idle ones. These orders add up and
 * hold until {@link #heal()}. What passes through is not looked at, so TLS does not mind.
 *
 * <p>All methods may be called from any thread; none waits for a connection to end.
 */
public final class TcpProxy implements AutoCloseable {

  private final ServerSocket door;
  private final Network network = new Network();
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
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

  /** A whole network to a port of this machine. */
  public static TcpProxy to(int port) {
    return new TcpProxy(port);
  }

  /** The port to connect to instead of the server's. */
  public int port() {
    return door.getLocalPort();
  }

  /** Ends all connections, and closes new ones at once, until {@link #heal()}. */
  public void cut() {
    network.change(conditions -> conditions.with(Conditions.Mode.CUT));
    links.forEach(Link::close);
  }

  /** Keeps all connections open and lets nothing through, until {@link #heal()}. */
  public void freeze() {
    network.change(conditions -> conditions.with(Conditions.Mode.FROZEN));
  }

  /**
   * Lets nothing more through on the connections that are open now, for ever, and closes none of
   * them. New connections work.
   */
  public void forget() {
    links.forEach(Link::forget);
  }

  /**
   * Resets each connection (TCP RST to the client) when so many more bytes have come from the
   * server; new connections after their first so many, until {@link #heal()}. The bytes before the
   * reset are sent, but some systems drop what the client has not read by then.
   *
   * @param bytes at least 1
   */
  public void resetAfter(long bytes) {
    requirePositive(bytes, "bytes");
    network.change(conditions -> conditions.withResetAfter(bytes));
    links.forEach(link -> link.resetAfter(bytes));
  }

  /**
   * Lets at most so many bytes a second go from the server to the client on each connection, in
   * portions of a fiftieth, until {@link #heal()}. Up to 1 MiB more waits in the proxy before the
   * server feels it.
   *
   * @param bytesPerSecond at least 1
   */
  public void throttle(int bytesPerSecond) {
    requirePositive(bytesPerSecond, "bytesPerSecond");
    network.change(conditions -> conditions.withBytesPerSecond(bytesPerSecond));
  }

  /**
   * Delays each byte from the server to a client, those on their way included, until {@link
   * #heal()}. The other direction has no delay.
   *
   * @param latency not negative
   */
  public void latency(Duration latency) {
    if (latency.isNegative()) {
      throw new IllegalArgumentException("latency must not be negative: " + latency);
    }
    network.change(conditions -> conditions.withLatency(latency));
  }

  /**
   * Closes connections (FIN to both sides) on which nothing has passed for a time, as a load
   * balancer does, until {@link #heal()}. Those that have been idle for longer end now.
   *
   * @param idle positive
   */
  public void closeIdleAfter(Duration idle) {
    requirePositive(Scheduler.saturatedNanos(idle), "idle");
    network.change(conditions -> conditions.withIdleLimit(idle));
    links.forEach(Link::closeWhenIdle);
  }

  /**
   * Lets requests through and loses the answers, until {@link #heal()}, which resets the
   * connections that have lost something. With TLS this hits open connections only, for a handshake
   * needs answers.
   */
  public void dropAnswers() {
    network.change(Conditions::withoutAnswers);
  }

  /** Leads new connections to another port of this machine; open ones stay where they are. */
  public void retarget(int port) {
    target = loopback(port);
  }

  /** Makes the network whole again; what was forgotten stays so, and so does the target. */
  public void heal() {
    network.change(conditions -> Conditions.CLEAR);
    links.forEach(Link::heal);
  }

  /** How many connections have been made through this proxy to a server, since the start. */
  public int connectionsOpened() {
    return opened.get();
  }

  /** How many connections are open now, those that nothing gets through on included. */
  public int openConnections() {
    return links.size();
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
        // The door was closed, or the server does not take the connection: the client sees it end.
      }
    }
  }

  private boolean isCut() {
    return network.now().mode() == Conditions.Mode.CUT;
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
    Link link = new Link(client, server, network, links::remove);
    links.add(link);
    opened.incrementAndGet();
    link.start();
    if (isCut()) { // since the door let it in: cut() may not have seen it
      link.close();
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
      // It is as closed as it will ever be.
    }
  }

  /** Ends all connections and frees the port. */
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
