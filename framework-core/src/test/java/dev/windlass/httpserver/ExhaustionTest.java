// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import dev.windlass.testsupport.OddScheduler;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An endpoint outlasts that there is no memory for one more thread. */
@Timeout(60)
final class ExhaustionTest {

  private static final Duration LATER = Duration.ofSeconds(5);

  private final ManualScheduler time = new ManualScheduler();
  private final AtomicInteger threadsToMiss = new AtomicInteger();
  private final AtomicInteger alarmsToMiss = new AtomicInteger();
  private final AtomicInteger shown = new AtomicInteger();

  private final Scheduler scheduler =
      new OddScheduler(
          time::nanoTime,
          (task, delay) -> {
            miss(alarmsToMiss);
            return time.schedule(task, delay);
          });

  private HttpEndpoint endpoint = endpoint(0);

  private static void miss(AtomicInteger left) {
    if (left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      throw new OutOfMemoryError("unable to create native thread");
    }
  }

  private HttpEndpoint endpoint(int port) {
    HttpEndpoint made =
        new HttpEndpoint(
            "test",
            new BindAddress("127.0.0.1", port),
            null,
            RequestAuthorizer.NONE,
            scheduler,
            task -> {
              miss(threadsToMiss);
              return new Thread(task);
            });
    made.page(
        "/page",
        request -> {
          shown.incrementAndGet();
          return PageReply.text(200, "hello\n");
        });
    return made;
  }

  @AfterEach
  void stops() throws InterruptedException {
    endpoint.stop(Duration.ZERO);
  }

  /** What comes until the server closes the connection, which it must. */
  private String get() throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), endpoint.port().orElseThrow())) {
      socket.setSoTimeout(20_000); // a read takes no notice of the time limit of the test
      socket
          .getOutputStream()
          .write("GET /page HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (java.net.SocketException e) {
      return ""; // reset
    }
  }

  @Test
  void freesItsPortIfItCantStart() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    endpoint = endpoint(port);
    threadsToMiss.set(1);
    assertThatThrownBy(endpoint::start).isInstanceOf(OutOfMemoryError.class);
    assertThat(endpoint.port()).isEmpty();
    endpoint.start();
    assertThat(endpoint.port()).hasValue(port);
    assertThat(get()).endsWith("hello\n");
  }

  @Test
  void closesARequestForWhichThereIsNoThreadAndServesTheNext() throws Exception {
    endpoint.start();
    threadsToMiss.set(1);
    try (Logs logs = Logs.of(HttpEndpoint.class)) {
      assertThat(get()).isEmpty();
      assertThat(logs.lines()).singleElement().asString().startsWith("WARN Refused a request: ");
    }
    assertThat(get()).endsWith("hello\n");
    assertThat(shown).hasValue(1);
    assertThat(endpoint.stop(LATER)).as("nothing is under way").isTrue();
  }

  @Test
  void closesARequestForWhichNoAlarmCanBeSetAndServesTheNext() throws Exception {
    endpoint.start();
    alarmsToMiss.set(1);
    try (Logs logs = Logs.of(HttpEndpoint.class)) {
      assertThat(get()).isEmpty();
      Eventually.that(() -> assertThat(logs.lines()).hasSize(1));
    }
    assertThat(get()).endsWith("hello\n");
    assertThat(endpoint.stop(LATER)).as("nothing is under way").isTrue();
  }
}
