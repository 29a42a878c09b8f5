// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A network that a test can break: forwards the connections of a loopback port to a server.
 *
 * <p>It can be whole, cut (connections end, new ones are closed at once) or frozen (connections
 * stay open and nothing arrives any more, as behind a firewall that forgot them). What passes
 * through is not looked at, so TLS does not mind.
 *
 * <p>All methods may be called from any thread.
 */
public final class TcpProxy implements AutoCloseable {

  private enum Mode {
    WHOLE,
    CUT,
    FROZEN
  }

  private final InetSocketAddress target;
  private final ServerSocket door;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Set<Socket> forgotten = ConcurrentHashMap.newKeySet();
  private final Object modeChanged = new Object();
  private volatile Mode mode = Mode.WHOLE;

  private TcpProxy(InetSocketAddress target) {
    this.target = target;
    try {
      door = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("no free loopback port", e);
    }
    start("proxy-" + door.getLocalPort(), this::accept);
  }

  /** A whole network to a port of this machine. */
  public static TcpProxy to(int port) {
    return new TcpProxy(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** The port to connect to instead of the server's. */
  public int port() {
    return door.getLocalPort();
  }

  /** Ends all connections, and closes new ones at once, until {@link #heal()}. */
  public void cut() {
    switchTo(Mode.CUT);
    open.forEach(TcpProxy::closeQuietly);
  }

  /** Keeps all connections open and lets nothing through, until {@link #heal()}. */
  public void freeze() {
    switchTo(Mode.FROZEN);
  }

  /**
   * Lets nothing more through on the connections that are open now, for ever, and closes none of
   * them. New connections work.
   */
  public void forget() {
    synchronized (modeChanged) {
      forgotten.addAll(open);
    }
  }

  /** Makes the network whole again; what was forgotten stays so. */
  public void heal() {
    switchTo(Mode.WHOLE);
  }

  private void switchTo(Mode next) {
    synchronized (modeChanged) {
      mode = next;
      modeChanged.notifyAll();
    }
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        Socket client = door.accept();
        if (mode == Mode.CUT) {
          client.close();
          continue;
        }
        connect(client);
      } catch (IOException e) {
        // The door was closed, or the server does not take the connection: the client sees it end.
      }
    }
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
    open.add(client);
    open.add(server);
    if (mode == Mode.CUT) { // since the door let it in: cut() may not have seen it
      closeQuietly(client);
      closeQuietly(server);
    }
    start("proxy-to-server", () -> pump(client, server));
    start("proxy-to-client", () -> pump(server, client));
  }

  private void pump(Socket from, Socket to) {
    byte[] buffer = new byte[16 * 1024];
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      int length = in.read(buffer);
      while (length >= 0) {
        awaitThaw(from);
        out.write(buffer, 0, length);
        length = in.read(buffer);
      }
    } catch (IOException e) {
      // Either side is gone; so is the other now.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      closeQuietly(from);
      closeQuietly(to);
      open.removeAll(Set.of(from, to));
      forgotten.removeAll(Set.of(from, to));
    }
  }

  private void awaitThaw(Socket from) throws InterruptedException {
    synchronized (modeChanged) {
      while ((mode == Mode.FROZEN || forgotten.contains(from)) && !door.isClosed()) {
        modeChanged.wait();
      }
    }
  }

  private static void start(String name, Runnable action) {
    Thread thread = new Thread(action, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void closeQuietly(Socket socket) {
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
  }
}
