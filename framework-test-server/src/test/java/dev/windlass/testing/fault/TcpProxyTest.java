// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.fault;

import static dev.windlass.testsupport.Patience.eventually;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {

  private static final int PATIENCE_MILLIS = 10_000;
  private static final int SILENCE_MILLIS = 100;

  private final EchoServer server = new EchoServer('1');
  private final TcpProxy proxy = TcpProxy.to(server.port());
  private final List<Socket> clients = new ArrayList<>();

  @AfterEach
  void close() {
    clients.forEach(client -> unchecked(client::close));
    proxy.close();
    server.close();
    eventually().atMost(5, SECONDS).until(() -> proxy.openConnections() == 0);
    eventually()
        .atMost(5, SECONDS)
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("proxy-")));
  }

  /** A connection whose greeting has arrived. */
  private Socket connect() throws IOException {
    Socket client = open();
    assertThat(client.getInputStream().read()).isEqualTo('1');
    return client;
  }

  private Socket open() throws IOException {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    client.setTcpNoDelay(true);
    client.setSoTimeout(PATIENCE_MILLIS);
    clients.add(client);
    return client;
  }

  private static void send(Socket client, String text) throws IOException {
    client.getOutputStream().write(text.getBytes(US_ASCII));
  }

  private static String read(Socket client, int length) throws IOException {
    return new String(client.getInputStream().readNBytes(length), US_ASCII);
  }

  private static void assertSilent(Socket client) throws IOException {
    assertSilentFor(client, SILENCE_MILLIS);
  }

  @Test
  void passesOnWhatItGetsAndCountsConnections() throws IOException {
    Socket client = connect();
    byte[] sent = new byte[1_000_000];
    Arrays.fill(sent, (byte) 'x');

    TcpProxy.start("sender", () -> unchecked(() -> client.getOutputStream().write(sent)));

    assertThat(client.getInputStream().readNBytes(sent.length)).isEqualTo(sent);
    connect();
    assertThat(proxy.connectionsOpened()).isEqualTo(2);
    assertThat(proxy.openConnections()).isEqualTo(2);
    client.close();
    eventually().atMost(5, SECONDS).until(() -> proxy.openConnections() == 1);
    assertThat(proxy.connectionsOpened()).isEqualTo(2);
  }

  @Test
  void endsConnectionsWhenCut() throws IOException {
    Socket client = connect();

    proxy.cut();

    assertThat(client.getInputStream().read()).isEqualTo(-1);
    assertThat(open().getInputStream().read()).isEqualTo(-1);
    proxy.heal();
    connect();
  }

  @Test
  void holdsBackWhileFrozenAndDeliversWhenHealed() throws IOException {
    Socket client = connect();

    proxy.freeze();
    send(client, "late");
    assertSilent(client);
    proxy.heal();

    assertThat(read(client, 4)).isEqualTo("late");
  }

  @Test
  void forgetsOpenConnectionsForEver() throws IOException {
    Socket client = connect();

    proxy.forget();
    send(client, "lost");
    proxy.heal();

    assertSilent(client);
    assertThat(proxy.openConnections()).isEqualTo(1);
    connect();
  }

  @Test
  void resetsEachConnectionAfterSoManyBytes() throws IOException {
    Socket old = connect();

    proxy.resetAfter(4);

    send(old, "12345678");
    assertThat(read(old, 4)).isEqualTo("1234");
    assertThatThrownBy(() -> old.getInputStream().read()).isInstanceOf(SocketException.class);
    Socket young = connect();
    send(young, "12345678");
    assertThat(read(young, 3)).as("its fourth byte with the greeting").isEqualTo("123");
    assertThatThrownBy(() -> young.getInputStream().read()).isInstanceOf(SocketException.class);
    proxy.heal();
    Socket healed = connect();
    send(healed, "12345678");
    assertThat(read(healed, 8)).isEqualTo("12345678");
  }

  @Test
  void letsOnlySoManyBytesASecondThrough() throws IOException {
    Socket client = connect();
    proxy.throttle(20_000);
    long start = System.nanoTime();

    send(client, "x".repeat(10_000));

    assertThat(read(client, 10_000)).hasSize(10_000);
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThan(Duration.ofMillis(450))
        .isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void letsTheRestGoAtOnceWhenHealed() throws IOException {
    Socket client = connect();
    proxy.throttle(50);

    send(client, "x".repeat(10_000));
    assertThat(read(client, 1)).isEqualTo("x");
    proxy.heal();

    assertThat(read(client, 9_999)).hasSize(9_999);
  }

  @Test
  void delaysAnswersWithoutSlowingTheFlowDown() throws IOException {
    Socket client = connect();
    proxy.latency(Duration.ofMillis(200));
    long start = System.nanoTime();

    for (int i = 0; i < 50; i++) {
      send(client, "0123456789");
    }

    assertThat(read(client, 500)).hasSize(500);
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThanOrEqualTo(Duration.ofMillis(200))
        .isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void closesConnectionsThatAreIdle() throws IOException {
    Socket client = connect();

    proxy.closeIdleAfter(Duration.ofMillis(800));

    for (int i = 0; i < 10; i++) {
      assertSilentFor(client, 100);
      send(client, "x");
      assertThat(read(client, 1)).as("busy, so it stays open").isEqualTo("x");
    }
    assertThat(client.getInputStream().read()).as("idle, so it ends").isEqualTo(-1);
    Socket young = connect();
    assertThat(young.getInputStream().read()).isEqualTo(-1);
    proxy.heal();
    Socket healed = connect();
    assertSilentFor(healed, 300);
  }

  private static void assertSilentFor(Socket client, int millis) throws IOException {
    client.setSoTimeout(millis);
    assertThatThrownBy(() -> client.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
    client.setSoTimeout(PATIENCE_MILLIS);
  }

  @Test
  void leadsNewConnectionsElsewhereAndKeepsOldOnes() throws IOException {
    Socket old = connect();
    try (EchoServer other = new EchoServer('2')) {
      proxy.retarget(other.port());

      assertThat(open().getInputStream().read()).isEqualTo('2');
      send(old, "still");
      assertThat(read(old, 5)).isEqualTo("still");
      assertThat(server.received()).isEqualTo(5);
    }
  }

  @Test
  void losesAnswersToRequestsThatArrive() throws IOException {
    Socket client = connect();

    proxy.dropAnswers();
    send(client, "request");

    eventually().atMost(5, SECONDS).until(() -> server.received() == 7);
    assertSilent(client);
    proxy.heal();
    assertThatThrownBy(() -> client.getInputStream().read())
        .as("it cannot know what is missing")
        .isInstanceOf(SocketException.class);
    connect();
  }

  @Test
  void refusesWhatMakesNoSense() {
    assertThatThrownBy(() -> proxy.resetAfter(0)).hasMessage("bytes must be positive: 0");
    assertThatThrownBy(() -> proxy.throttle(0)).hasMessage("bytesPerSecond must be positive: 0");
    assertThatThrownBy(() -> proxy.latency(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> proxy.closeIdleAfter(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Something that sockets do. */
  interface SocketAction {
    void run() throws IOException;
  }

  static void unchecked(SocketAction action) {
    try {
      action.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
