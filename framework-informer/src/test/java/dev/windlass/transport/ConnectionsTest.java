// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class ConnectionsTest {

  private final LoopbackServer server = new LoopbackServer();
  private final Client client = new Client();

  ConnectionsTest() throws IOException {}

  @AfterEach
  void closes() throws IOException {
    client.close();
    server.close();
  }

  /** Sends a request through a connection, which becomes idle after it. */
  private LoopbackServer.Peer idle() throws Exception {
    CompletableFuture<HttpResponse<String>> response = client.get(server.url());
    LoopbackServer.Peer peer = server.asked();
    peer.respond("first");
    assertThat(Client.body(response)).isEqualTo("first");
    return peer;
  }

  private void serves(LoopbackServer.Peer peer) throws Exception {
    CompletableFuture<HttpResponse<String>> response = client.get(server.url());
    peer.head();
    peer.respond("next");
    assertThat(Client.body(response)).isEqualTo("next");
  }

  @Test
  void serveConsecutiveRequests() throws Exception {
    LoopbackServer.Peer peer = idle();
    for (int i = 0; i < 500; i++) {
      serves(peer);
    }
    assertThat(server.hasFurther()).isFalse();
  }

  @Test
  void serveRequestsThatAreSentWhenAResponseIsComplete() throws Exception {
    CompletableFuture<String> both =
        client
            .get(server.url())
            .thenApply(first -> first.body() + client.get(server.url()).join().body());
    LoopbackServer.Peer peer = server.asked();
    peer.respond("a");
    peer.head();
    peer.respond("b");
    assertThat(Client.get(both)).isEqualTo("ab");
    serves(peer);
  }

  @Test
  void areNotBlockedByACallerThatHandlesTheirResponse() throws Exception {
    CountDownLatch handling = new CountDownLatch(1);
    CountDownLatch ready = new CountDownLatch(1);
    CompletableFuture<Boolean> slow =
        client
            .get(server.url())
            .thenApply(
                first -> {
                  handling.countDown();
                  return waitFor(ready);
                });
    LoopbackServer.Peer peer = server.asked();
    peer.respond("a");
    assertThat(waitFor(handling)).isTrue();
    serves(peer);
    ready.countDown();
    assertThat(Client.get(slow)).isTrue();
    serves(peer);
  }

  private static boolean waitFor(CountDownLatch latch) {
    try {
      return latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  /** The scheduler belongs to the owner of the client. */
  @Test
  void reportAFatalErrorThroughTheScheduler() throws Exception {
    Error fatal = new OutOfMemoryError("test");
    CompletableFuture<HttpResponse<AsyncBody>> response =
        client.http.consumeBytes(
            client.http.newHttpRequestBuilder().uri(server.url()).build(),
            (bytes, body) -> {
              throw fatal;
            });
    LoopbackServer.Peer peer = server.asked();
    peer.respond("first");
    AsyncBody body = Client.get(response).body();
    body.consume();
    assertThat(catchThrowable(() -> body.done().get(20, TimeUnit.SECONDS))).hasCause(fatal);
    Eventually.until(() -> client.time.pending().contains(Duration.ZERO));
    assertThatThrownBy(() -> client.time.advance(Duration.ZERO)).isSameAs(fatal);
  }

  @Test
  void surviveInterruptsByTheCaller() throws Exception {
    Client.Stream first = client.stream(server.url(), request -> {});
    CompletableFuture<Thread> thread = first.response.thenApply(head -> Thread.currentThread());
    LoopbackServer.Peer peer = server.asked();
    peer.respond("x");
    interruptWhileItWaits(Client.get(thread));
    assertThat(first.next()).isEqualTo("x");
    Client.get(first.body().done());
    interruptWhileItWaits(Client.get(thread));
    serves(peer);
  }

  private static void interruptWhileItWaits(Thread thread) {
    while (thread.getState() != Thread.State.WAITING && !Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait();
    }
    thread.interrupt();
    while (thread.isInterrupted() && !Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void serveOneRequestAtATime() throws Exception {
    CompletableFuture<HttpResponse<String>> first = client.get(server.url());
    LoopbackServer.Peer one = server.accept();
    CompletableFuture<HttpResponse<String>> second = client.get(server.url());
    LoopbackServer.Peer two = server.asked();
    two.respond("2");
    assertThat(Client.body(second)).isEqualTo("2");
    one.head();
    one.respond("1");
    assertThat(Client.body(first)).isEqualTo("1");
    serves(one); // which became idle last
  }

  @Test
  void areNotUsedForAnotherServer() throws Exception {
    idle();
    try (LoopbackServer other = new LoopbackServer()) {
      CompletableFuture<HttpResponse<String>> response = client.get(other.url());
      LoopbackServer.Peer peer = other.accept();
      assertThat(peer.head()).contains("|Host: 127.0.0.1:" + other.port() + "|");
      peer.respond("other");
      assertThat(Client.body(response)).isEqualTo("other");
    }
  }

  @Test
  void areClosedWhenTheyHaveBeenIdleFor30Seconds() throws Exception {
    LoopbackServer.Peer peer = idle();
    client.time.advance(Duration.ofSeconds(20));
    serves(peer);
    client.time.advance(Duration.ofSeconds(29));
    serves(peer);
    client.time.advance(Duration.ofSeconds(30));
    assertThat(peer.isClosedByClient()).isTrue();
    assertThat(client.time.pending()).isEmpty();
    serves(idle());
  }

  /** A firewall has forgotten all connections but those that were used in the meantime. */
  @ParameterizedTest
  @CsvSource({"PUT, answer", "GET, answer", "GET, rest of the answer", "GET, watch"})
  void areReplacedIfOneOfTheirAgeIsDead(String method, String missing) throws Exception {
    CompletableFuture<HttpResponse<String>> first = client.get(server.url());
    LoopbackServer.Peer dead = server.accept();
    CompletableFuture<HttpResponse<String>> second = client.get(server.url());
    LoopbackServer.Peer suspect = server.accept();
    CompletableFuture<HttpResponse<String>> third = client.get(server.url());
    LoopbackServer.Peer alive = server.accept();
    answer(suspect, second);
    answer(alive, third);
    answer(dead, first);
    client.time.advance(Duration.ofMillis(10));
    Client.Stream silent =
        client.stream(
            server.url(),
            request ->
                request
                    .method(method, "text/plain", method.equals("GET") ? null : "x")
                    .timeout(missing.equals("watch") ? 0 : 20, TimeUnit.MILLISECONDS));
    dead.head();
    if (!missing.equals("answer")) {
      dead.send("HTTP/1.1 200 OK|Transfer-Encoding: chunked||");
      silent.body();
    }
    client.time.advance(Duration.ofMillis(1));
    serves(alive);
    switch (missing) {
      case "answer" -> client.time.advance(Duration.ofMillis(20));
      case "watch" -> silent.body().cancel();
      default -> silent.body().consume();
    }
    assertThat(suspect.isClosedByClient()).isTrue();
    serves(alive);
    assertThat(server.hasFurther()).isFalse();
  }

  private static void answer(LoopbackServer.Peer peer, CompletableFuture<HttpResponse<String>> to)
      throws Exception {
    peer.head();
    peer.respond("x");
    Client.get(to);
  }

  /** The server closes an idle connection before or after it has received the next request. */
  @ParameterizedTest
  @CsvSource({
    "GET, false",
    "GET, true",
    "POST, false",
    "POST, true",
    "PUT, true",
    "PATCH, true",
    "DELETE, true"
  })
  void repeatOnlyReadsThatTheServerDidNotAnswer(String method, boolean received) throws Exception {
    LoopbackServer.Peer peer = idle();
    if (!received) {
      peer.close();
    }
    boolean read = method.equals("GET");
    CompletableFuture<HttpResponse<String>> response =
        read ? client.get(server.url()) : client.write(method, server.url());
    if (received) {
      assertThat(peer.head()).startsWith(method + " / ");
      peer.close();
    }
    if (read) {
      LoopbackServer.Peer next = server.accept();
      assertThat(next.head()).startsWith("GET / ");
      next.respond("repeated");
      assertThat(Client.body(response)).isEqualTo("repeated");
    } else {
      assertThat(Client.failure(response))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("http://127.0.0.1:" + server.port())
          .hasMessageContaining("not sent again");
    }
    assertThat(server.hasFurther()).isFalse();
  }

  @Test
  void areCheckedBeforeAWriteAfterOneSecond() throws Exception {
    idle().close();
    client.time.advance(Duration.ofSeconds(1));
    CompletableFuture<HttpResponse<String>> response = client.write("POST", server.url());
    LoopbackServer.Peer peer = server.accept();
    assertThat(peer.head()).startsWith("POST / ");
    peer.respond("x");
    assertThat(Client.body(response)).isEqualTo("x");
    client.time.advance(Duration.ofSeconds(1));
    serves(peer);
  }

  @Test
  void areNotReplacedForARequestThatFailsOnANewOne() throws Exception {
    CompletableFuture<HttpResponse<String>> response = client.get(server.url());
    server.accept().close();
    assertThat(Client.failure(response)).isInstanceOf(IOException.class);
    assertThat(server.hasFurther()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK|Connection: close|Content-Length: 1||x",
        "HTTP/1.0 200 OK|Content-Length: 1||x",
        "HTTP/1.1 200 OK|Content-Length: 1||xHTTP/1.1 200 OK|Content-Length: 1||y",
      })
  void areNotUsedAgainAfter(String response) throws Exception {
    CompletableFuture<HttpResponse<String>> first = client.get(server.url());
    LoopbackServer.Peer peer = server.asked();
    peer.send(response);
    assertThat(Client.body(first)).isEqualTo("x");
    CompletableFuture<HttpResponse<String>> second = client.get(server.url());
    LoopbackServer.Peer next = server.asked();
    next.respond("z");
    assertThat(Client.body(second)).isEqualTo("z");
    assertThat(peer.isClosedByClient()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cancel the body", "cancel the request", "fail"})
  void areClosedAfterUnfinishedRequests(String end) throws Exception {
    Client.Stream stream = client.stream(server.url(), request -> {});
    LoopbackServer.Peer peer = server.asked();
    if (end.equals("cancel the request")) {
      stream.response.cancel(false);
    } else {
      peer.send("HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ab|x");
      AsyncBody body = stream.body();
      assertThat(stream.next()).isEqualTo("ab");
      body.consume();
      if (end.equals("fail")) {
        peer.send("|");
        assertThat(Client.failure(body.done())).isInstanceOf(IOException.class);
      } else {
        body.cancel();
        assertThat(body.done()).isCancelled();
      }
    }
    assertThat(peer.isClosedByClient()).isTrue();
    idle();
  }

  @Test
  void stayOpenIfTheirLastRequestIsCancelledLate() throws Exception {
    Client.Stream first = client.stream(server.url(), request -> {});
    LoopbackServer.Peer peer = server.asked();
    peer.respond("a");
    assertThat(first.next()).isEqualTo("a");
    Client.get(first.body().done());
    CompletableFuture<HttpResponse<String>> second = client.get(server.url());
    peer.head();
    first.body().cancel();
    first.response.cancel(true);
    peer.respond("b");
    assertThat(Client.body(second)).isEqualTo("b");
  }

  @Test
  void endWithTheirClient() throws Exception {
    LoopbackServer.Peer idle = idle();
    LoopbackServer.Peer spare = idle;
    Client.Stream unread = client.stream(server.url(), request -> {});
    idle.head();
    idle.send("HTTP/1.1 200 OK|Content-Length: 1||");
    unread.body();
    CompletableFuture<HttpResponse<String>> unanswered = client.get(server.url());
    LoopbackServer.Peer peer = server.asked();
    HttpClient derived = client.http.newBuilder().build();
    derived.close();
    for (CompletableFuture<?> future : List.of(unread.body().done(), unanswered)) {
      assertThat(Client.failure(future)).hasMessage("the client has been closed");
    }
    assertThat(spare.isClosedByClient()).isTrue();
    assertThat(peer.isClosedByClient()).isTrue();
    assertThat(client.http.isClosed()).isTrue();
    assertThat(Client.failure(client.get(server.url())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the client is closed");
    assertThat(client.time.pending()).isEmpty();
  }

  @Test
  void areSharedByDerivedClients() throws Exception {
    LoopbackServer.Peer peer = idle();
    CompletableFuture<HttpResponse<String>> response =
        Client.send(client.http.newBuilder().build(), server.url(), request -> {});
    peer.head();
    peer.respond("derived");
    assertThat(Client.body(response)).isEqualTo("derived");
  }

  /** As kube-apiserver does: it reads 3 MiB, responds with 413, and closes the connection. */
  @Test
  void passOnTheRejectionOfALargeBody() throws Exception {
    byte[] large = new byte[20_000_000];
    CompletableFuture<HttpResponse<String>> response =
        client.send(server.url(), request -> request.post("a/b", large));
    LoopbackServer.Peer peer = server.asked();
    peer.send("HTTP/1.1 413 Too Large|Content-Length: 5||large");
    peer.close();
    assertThat(Client.get(response).code()).isEqualTo(413);
    assertThat(Client.body(response)).isEqualTo("large");
    CompletableFuture<HttpResponse<String>> next = client.write("POST", server.url());
    LoopbackServer.Peer other = server.asked();
    other.respond("small");
    assertThat(Client.body(next)).isEqualTo("small");
  }
}
