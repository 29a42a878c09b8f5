// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The detection of dead connections by the operating system. */
final class KeepAliveTest {

  /** Linux lists the sockets with their timers: 02 is keep-alive, and then 1/100 s in hex. */
  private static final List<Path> SOCKETS =
      List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void closesADeadConnectionAfterHalfAMinute() throws IOException {
    for (Socket socket : List.of(new Socket(), new RecordSocket())) {
      KeepAlive.enable(socket);
      assertThat(socket.getKeepAlive()).isTrue();
      int idle = socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE);
      int interval = socket.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL);
      int probes = socket.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT);
      assertThat(idle + probes * interval).isEqualTo(30);
      socket.close();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @EnabledOnOs(OS.LINUX)
  void isEnabledForEachConnection(boolean secure) throws Exception {
    try (LoopbackServer server = secure ? new LoopbackServer(Tls.SERVER) : new LoopbackServer();
        Client client = new Client(Tls::trust)) {
      var response = client.get((secure ? "https" : "http") + "://localhost:" + server.port());
      LoopbackServer.Peer peer = server.asked();
      peer.respond("done");
      assertThat(Client.body(response)).isEqualTo("done");
      // The response acknowledges the request, so no timer of a retransmission runs any more.
      String timer = timer(peer.socket.getPort(), server.port());
      assertThat(timer).startsWith("02:");
      assertThat(Integer.parseInt(timer.substring(3), 16)).isLessThanOrEqualTo(1_600);
    }
  }

  /** Returns the timer of the client's socket. Another connection may have had the same port. */
  private static String timer(int port, int remotePort) throws IOException {
    String local = String.format(Locale.ROOT, ":%04X", port);
    String remote = String.format(Locale.ROOT, ":%04X", remotePort);
    for (Path sockets : SOCKETS) {
      try (Stream<String> lines = Files.lines(sockets)) {
        for (String line : lines.toList()) {
          String[] fields = line.trim().split("\\s+");
          boolean established = fields[3].equals("01");
          if (established && fields[1].endsWith(local) && fields[2].endsWith(remote)) {
            return fields[5];
          }
        }
      }
    }
    throw new AssertionError("no socket with port " + port);
  }
}
