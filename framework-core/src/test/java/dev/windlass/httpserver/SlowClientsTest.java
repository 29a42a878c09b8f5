// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.scheduling.Scheduler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real sockets and real time: probes are answered while other clients send next to nothing. */
@Timeout(60)
final class SlowClientsTest {

  private static final int SLOW = 1_000;

  private final HttpEndpoint endpoint =
      new HttpEndpoint(
          "test",
          new BindAddress("127.0.0.1", 0),
          null,
          RequestAuthorizer.NONE,
          Scheduler.system(),
          Thread::new);
  private final List<Socket> open = new ArrayList<>();

  @AfterEach
  void stops() throws Exception {
    for (Socket socket : open) {
      socket.close();
    }
    endpoint.stop(Duration.ZERO);
  }

  /** Sends one byte and stays open, whatever the server does about it. */
  private void connectSlowly() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port().orElseThrow());
    open.add(socket);
    socket.getOutputStream().write('G');
  }

  /** The status line, or why there is none within a second. */
  private String probe() throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(
          new java.net.InetSocketAddress(
              InetAddress.getLoopbackAddress(), endpoint.port().orElseThrow()),
          1_000);
      socket.setSoTimeout(1_000);
      socket
          .getOutputStream()
          .write("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readNBytes(15), StandardCharsets.US_ASCII);
    } catch (SocketTimeoutException e) {
      return "no answer within 1 s";
    }
  }

  @Test
  void answersProbesBesideAThousandConnectionsOfOneByte() throws Exception {
    endpoint.page("/livez", request -> PageReply.text(200, "ok"));
    endpoint.start();
    for (int i = 0; i < SLOW; i++) {
      connectSlowly();
    }
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      for (int more = 0; more < 100; more++) { // whatever is closed comes back
        connectSlowly();
      }
      answers.add(probe());
    }
    assertThat(answers).hasSize(10).containsOnly("HTTP/1.1 200 OK");
  }
}
