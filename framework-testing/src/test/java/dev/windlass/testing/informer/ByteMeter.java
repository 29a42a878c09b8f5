// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.informer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what a server behind a loopback port sends. */
final class ByteMeter implements AutoCloseable {

  private final ServerSocket door;
  private final int target;
  private final AtomicLong bytes = new AtomicLong();

  ByteMeter(int target) {
    this.target = target;
    try {
      door = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    run(this::accept);
  }

  int port() {
    return door.getLocalPort();
  }

  /** How many bytes the server has sent so far, on all connections. */
  long bytes() {
    return bytes.get();
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void run(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // Somebody has hung up.
              }
            },
            "byte-meter");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (!door.isClosed()) {
      Socket client = door.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      run(() -> copy(client, server, new AtomicLong()));
      run(() -> copy(server, client, bytes));
    }
  }

  private static void copy(Socket from, Socket to, AtomicLong count) throws IOException {
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      byte[] buffer = new byte[16 * 1024];
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        count.addAndGet(length);
        out.write(buffer, 0, length);
      }
    }
  }

  @Override
  public void close() {
    try {
      door.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
