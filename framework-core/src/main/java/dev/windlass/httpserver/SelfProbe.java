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
 * it reaches the endpoint's request threads. Busy request threads do not make the check fail,
 * because clients that send slow requests must not make the server appear unavailable.
 *
 * <p>The check uses real time, like the network, and takes at most 2 s.
 */
final class SelfProbe {

  /** The maximum time to wait for the connection, and then for its end or a response: 1 s each. */
  private static final int LIMIT_MILLIS = 1_000;

  private static final byte[] REQUEST =
      "GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private SelfProbe() {}

  /**
   * Returns whether a connection is accepted. Also returns true if the check is not possible.
   *
   * @param handed returns the number of requests that the server has passed to its threads
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
