// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.util.Map;

/**
 * Makes the operating system check whether an idle connection is dead (TCP keep-alive). A
 * connection whose packets are lost is closed after about 30 s without traffic: 15 s until the
 * first probe, and three probes 5 s apart. By default, Linux sends the first probe after two hours.
 *
 * <p>The kernel of the other end responds to the probes. Therefore, the probes detect neither a
 * server that hangs nor a proxy that has lost its server. The deadlines of the reflector detect
 * these, too.
 */
final class KeepAlive {

  /** The values of the options; the first two are in seconds, and the last one is a count. */
  private static final Map<String, Integer> VALUES =
      Map.of("TCP_KEEPIDLE", 15, "TCP_KEEPINTERVAL", 5, "TCP_KEEPCOUNT", 3);

  private KeepAlive() {}

  /**
   * Enables keep-alive for a socket. If the platform does not support these options, as Windows on
   * JDK 17, its own values remain.
   */
  static void enable(Socket socket) throws IOException {
    socket.setKeepAlive(true);
    // Looked up by name, because the constants are in jdk.net, which a small JRE may lack.
    for (SocketOption<?> option : socket.supportedOptions()) {
      Integer value = VALUES.get(option.name());
      if (value != null) {
        @SuppressWarnings("unchecked") // the documented type of all three options
        SocketOption<Integer> number = (SocketOption<Integer>) option;
        socket.setOption(number, value);
      }
    }
  }
}
