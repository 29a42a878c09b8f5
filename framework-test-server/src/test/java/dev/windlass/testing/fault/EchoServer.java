// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Sends each client a greeting byte, then back what it gets, and counts that. */
final class EchoServer implements AutoCloseable {

  private final ServerSocket door;
  private final byte greeting;
  private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
  private final AtomicLong received = new AtomicLong();

  EchoServer(char greeting) {
    this.greeting = (byte) greeting;
    try {
      door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    TcpProxy.start("echo-accept", this::accept);
  }

  int port() {
    return door.getLocalPort();
  }

  long received() {
    return received.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = door.accept();
        client.setTcpNoDelay(true);
        clients.add(client);
        TcpProxy.start("echo", () -> echo(client));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void echo(Socket client) {
    byte[] buffer = new byte[8192];
    try (client) {
      client.getOutputStream().write(greeting);
      int length = client.getInputStream().read(buffer);
      while (length >= 0) {
        received.addAndGet(length);
        client.getOutputStream().write(buffer, 0, length);
        length = client.getInputStream().read(buffer);
      }
    } catch (IOException e) {
      // The client is gone.
    }
  }

  @Override
  public void close() {
    TcpProxyTest.unchecked(door::close);
    clients.forEach(client -> TcpProxyTest.unchecked(client::close));
  }
}
