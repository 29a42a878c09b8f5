// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limits of requests, and the pace at which the caller receives their responses. */
@Timeout(60)
final class TimeLimitsTest {

  private static final String CHUNKED = "HTTP/1.1 200 OK|Transfer-Encoding: chunked||";

  private final LoopbackServer server = new LoopbackServer();
  private final Client client = new Client();

  TimeLimitsTest() throws IOException {}

  @AfterEach
  void closes() throws IOException {
    client.close();
    server.close();
  }

  private Client.Stream stream(long millis) {
    return client.stream(server.url(), request -> request.timeout(millis, TimeUnit.MILLISECONDS));
  }

  @ParameterizedTest
  @CsvSource({"http, 0", "http, 20_000_000", "https, 0", "https, 20_000_000"})
  void endARequestThatTheServerDoesNotAnswer(String scheme, String size) throws Exception {
    byte[] body = new byte[Integer.parseInt(size.replace("_", ""))];
    boolean secure = scheme.equals("https");
    try (LoopbackServer silent = secure ? new LoopbackServer(Tls.SERVER) : new LoopbackServer();
        Client patient = new Client(Tls::trust)) {
      String origin = scheme + "://localhost:" + silent.port();
      Client.Stream stream =
          patient.stream(
              origin, request -> request.post("a/b", body).timeout(1500, TimeUnit.MILLISECONDS));
      LoopbackServer.Peer peer = silent.asked(); // of the body, the server reads nothing
      patient.time.advance(Duration.ofMillis(1499));
      assertThat(stream.response).isNotDone();
      patient.time.advance(Duration.ofMillis(1));
      assertThat(Client.failure(stream.response))
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessage(origin + " did not answer within 1.5 s");
      peer.drain();
    }
  }

  /** The manager's timers share that thread, and must not wait for code of a caller. */
  @Test
  void runNoCodeOfTheCallerOnTheThreadOfTheScheduler() throws Exception {
    Client.Stream stream = stream(1000);
    CompletableFuture<Thread> informed =
        stream.response.handle((response, failure) -> Thread.currentThread());
    LoopbackServer.Peer peer = server.asked();
    client.time.advance(Duration.ofSeconds(1)); // runs the timers on this thread
    assertThat(informed.get(20, TimeUnit.SECONDS).getName()).isEqualTo("windlass-http-timeout");
  }

  @Test
  void includeTheTimeToConnect() throws Exception {
    try (Client secure = new Client(Tls::trust)) {
      Client.Stream stream =
          secure.stream(
              "https://127.0.0.1:" + server.port(),
              request -> request.timeout(1, TimeUnit.SECONDS));
      LoopbackServer.Peer peer = server.accept(); // which does not answer the handshake
      secure.time.advance(Duration.ofSeconds(1));
      assertThat(Client.failure(stream.response)).hasMessageEndingWith("did not answer within 1 s");
      peer.drain();
    }
  }

  @Test
  void endWithTheHeaderOfTheResponse() throws Exception {
    Client.Stream stream =
        client.stream(
            server.url(), request -> request.timeout(10, TimeUnit.SECONDS).forStreaming());
    LoopbackServer.Peer peer = server.asked();
    assertThat(client.time.pending()).containsExactly(Duration.ofSeconds(10));
    peer.send(CHUNKED);
    stream.body();
    Eventually.until(() -> client.time.pending().isEmpty());
    client.time.advance(Duration.ofHours(1));
    peer.send("1|x|");
    assertThat(stream.next()).isEqualTo("x");
  }

  @Test
  void limitThePausesOfAResponseUnlessItIsStreamed() throws Exception {
    Client.Stream watch =
        client.stream(
            server.url(), request -> request.timeout(20, TimeUnit.MILLISECONDS).forStreaming());
    LoopbackServer.Peer patient = server.asked();
    patient.send(CHUNKED);
    watch.body().consume();
    Client.Stream stream = stream(20);
    LoopbackServer.Peer peer = server.asked();
    peer.send(CHUNKED);
    stream.body().consume();
    assertThat(Client.failure(stream.body().done()))
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessage("http://127.0.0.1:" + server.port() + " paused its response for 20 ms");
    peer.drain();
    patient.send("1|x|0||");
    assertThat(watch.next()).isEqualTo("x");
    Client.get(watch.body().done());
  }

  @Test
  void nameTheAddressThatRefusesTheConnection() throws Exception {
    String url = server.url();
    server.close();
    assertThat(Client.failure(client.get(url)))
        .isExactlyInstanceOf(ConnectException.class)
        .hasMessageContaining("refused")
        .hasMessageContaining("127.0.0.1:" + server.port());
  }

  @Test
  void endAConnectionAttempt() throws Exception {
    try (FullServer full = new FullServer("127.0.0.1", 0);
        Client hasty = new Client(settings -> settings.connectTimeout(30, TimeUnit.MILLISECONDS))) {
      String address = "127.0.0.1:" + full.port();
      assertThat(Client.failure(hasty.get("http://" + address)))
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessage("no connection to /" + address + " within 30 ms");
    }
  }

  /** The name of an API server can have an address in each zone, and a zone can fail. */
  @Test
  void leaveTimeForTheNextAddressWhichIsTriedFirstFromThenOn() throws Exception {
    InetAddress silent = InetAddress.getByName("127.0.0.2");
    InetAddress alive = InetAddress.getByName("127.0.0.1");
    Addresses.Resolver resolver = host -> new InetAddress[] {silent, alive};
    FullServer full = new FullServer("127.0.0.2", server.port());
    try (Client patient =
        new Client(settings -> settings.connectTimeout(100, TimeUnit.MILLISECONDS), resolver)) {
      CompletableFuture<HttpResponse<String>> first = patient.get("http://api:" + server.port());
      LoopbackServer.Peer peer = server.asked();
      full.close();
      try (ServerSocket recovered = new ServerSocket(server.port(), 1, silent)) {
        CompletableFuture<HttpResponse<String>> second = patient.get("http://api:" + server.port());
        LoopbackServer.Peer next = server.asked();
        next.respond("b");
        peer.respond("a");
        assertThat(Client.body(first)).isEqualTo("a");
        assertThat(Client.body(second)).isEqualTo("b");
        recovered.setSoTimeout(1);
        assertThatThrownBy(recovered::accept).isInstanceOf(SocketTimeoutException.class);
      }
    } finally {
      full.close();
    }
  }

  /** A server that accepts no connection. */
  private static final class FullServer implements AutoCloseable {

    private final List<SocketChannel> queue = new ArrayList<>();
    private final ServerSocket socket;

    FullServer(String address, int port) throws IOException {
      socket = new ServerSocket(port, 1, InetAddress.getByName(address));
      for (int i = 0; i < 4; i++) { // the kernel queues two connections, and ignores the others
        SocketChannel waiting = SocketChannel.open();
        waiting.configureBlocking(false);
        waiting.connect(new InetSocketAddress(address, port()));
        queue.add(waiting);
      }
    }

    int port() {
      return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      for (SocketChannel waiting : queue) {
        waiting.close();
      }
      socket.close();
    }
  }

  @Test
  void endATlsHandshake() throws Exception {
    String origin = "https://127.0.0.1:" + server.port();
    try (Client hasty =
        new Client(settings -> Tls.trust(settings.connectTimeout(30, TimeUnit.MILLISECONDS)))) {
      assertThat(Client.failure(hasty.get(origin)))
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessage("no TLS handshake with " + origin + " within 30 ms");
      server.accept().drain();
    }
  }

  @Test
  void passesOnePieceForEachDemand() throws Exception {
    Client.Stream stream = stream(0);
    LoopbackServer.Peer peer = server.asked();
    peer.send(CHUNKED + "2|ab|2|cd|0||");
    AsyncBody body = stream.body();
    assertThat(stream.pieces).isEmpty();
    assertThat(stream.next()).isEqualTo("ab");
    assertThat(stream.pieces).isEmpty();
    assertThat(stream.next()).isEqualTo("cd");
    assertThat(body.done()).isNotDone();
    body.consume();
    Client.get(body.done());
    assertThat(stream.pieces).isEmpty();
  }

  @Test
  void endsWithoutDemandIfTheLengthIsKnown() throws Exception {
    Client.Stream stream = stream(0);
    LoopbackServer.Peer peer = server.asked();
    peer.respond("ab");
    assertThat(stream.next()).isEqualTo("ab");
    Client.get(stream.body().done());
  }

  @Test
  void endsAtACancellationWhileItWaitsForDemand() throws Exception {
    Client.Stream stream = stream(0);
    LoopbackServer.Peer peer = server.asked();
    peer.respond("ab");
    AsyncBody body = stream.body();
    body.cancel();
    assertThat(body.done()).isCancelled();
    assertThat(peer.isClosedByClient()).isTrue();
    body.consume();
    assertThat(stream.pieces).isEmpty();
  }

  @Test
  void endsIfTheConsumerThrows() throws Exception {
    IllegalStateException failure = new IllegalStateException("full");
    Client.Stream stream =
        client.stream(
            server.url(),
            request -> {},
            new Client.Stream() {
              @Override
              public void consume(List<ByteBuffer> buffers, AsyncBody body) {
                throw failure;
              }
            });
    LoopbackServer.Peer peer = server.asked();
    peer.respond("ab");
    stream.body().consume();
    assertThat(Client.failure(stream.body().done())).isSameAs(failure);
    assertThat(peer.isClosedByClient()).isTrue();
  }
}
