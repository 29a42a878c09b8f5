// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;

/**
 * Finds out whether the JDK's server takes connections in. It does that on a single thread, which
 * nobody can ask how it is; so a connection is opened from here, and must get as far as our own
 * threads. How busy those are does not matter: who sends slow requests must not make it look dead.
 *
 * <p>It waits in real time, as the network does, for 2 s at most.
 */
final class SelfCall {

  /** How long to wait for the connection, and then for its end or an answer: 1 s each. */
  private static final int LIMIT_MILLIS = 1_000;

  private static final byte[] REQUEST =
      "GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private SelfCall() {}

  /**
   * Whether a connection is taken in; also true if that can't be found out.
   *
   * @param handed how many requests the server has handed to its threads
   */
  static boolean arrives(InetSocketAddress address, IntSupplier handed) {
    int before = handed.getAsInt();
    try (Socket socket = new Socket()) {
      socket.connect(reachable(address), LIMIT_MILLIS);
      socket.setSoTimeout(LIMIT_MILLIS);
      socket.getOutputStream().write(REQUEST);
      int unused = socket.getInputStream().read(); // an answer or an end: both come from somebody
      return true;
    } catch (SocketTimeoutException e) {
      return handed.getAsInt() != before;
    } catch (IOException e) {
      return true; // closed or refused by somebody, or there is no way from here
    }
  }

  private static InetSocketAddress reachable(InetSocketAddress address) {
    return address.getAddress().isAnyLocalAddress()
        ? new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort())
        : address;
  }
}
