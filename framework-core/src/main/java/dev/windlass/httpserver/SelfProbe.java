// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;

/**
 * Checks whether the JDK's server accepts connections. The server accepts connections on a single
 * thread, whose state cannot be queried. The check therefore opens a connection and verifies that
 * the connection reaches the endpoint's request threads. The check succeeds even if all request
 * threads are busy, because clients that send slow requests must not make the server appear
 * unavailable.
 *
 * <p>The check takes at most 2 s. This limit is measured in real time, not by the scheduler.
 */
final class SelfProbe {

  /**
   * The time limit for opening the connection, and then for a response: 1 s each. The end of the
   * connection counts as a response.
   */
  private static final int LIMIT_MILLIS = 1_000;

  private static final byte[] REQUEST =
      "GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private SelfProbe() {}

  /**
   * Returns whether the server accepts a connection. Also returns true if this cannot be
   * determined.
   *
   * @param handed a function that returns the number of requests that the server has passed to its
   *     request threads
   */
  static boolean arrives(InetSocketAddress address, IntSupplier handed) {
    int before = handed.getAsInt();
    try (Socket socket = new Socket()) {
      socket.connect(reachable(address), LIMIT_MILLIS);
      socket.setSoTimeout(LIMIT_MILLIS);
      socket.getOutputStream().write(REQUEST);
      int unused = socket.getInputStream().read(); // a response or the end of the stream: accepted
      return true;
    } catch (SocketTimeoutException e) {
      return handed.getAsInt() != before;
    } catch (IOException e) {
      return true; // the connection was closed or refused, or the server is unreachable from here
    }
  }

  private static InetSocketAddress reachable(InetSocketAddress address) {
    return address.getAddress().isAnyLocalAddress()
        ? new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort())
        : address;
  }
}
