// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Threads;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class HttpEndpointTest {

  private final ManualScheduler time = new ManualScheduler();
  private final Threads threads = new Threads();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<PageRequest> asked = new CopyOnWriteArrayList<>();
  private final CountDownLatch released = new CountDownLatch(1);
  private final HttpEndpoint endpoint = endpoint(new BindAddress("127.0.0.1", 0));
  private final HttpClient client = HttpClient.newHttpClient();
  private volatile RequestAuthorizer authorizer = RequestAuthorizer.NONE;

  private HttpEndpoint endpoint(BindAddress address) {
    HttpEndpoint made =
        new HttpEndpoint(
            "test",
            address,
            null,
            (request, path) -> authorizer.refuse(request, path),
            time,
            threads);
    made.page(
        "/page",
        request -> {
          asked.add(request);
          return PageReply.text(200, "hello\n");
        });
    made.page(
        "/slow",
        request -> {
          asked.add(request);
          released.await();
          return PageReply.text(200, "late\n");
        });
    made.page("/broken", request -> raise(new IllegalStateException("a secret")));
    return made;
  }

  @AfterEach
  void leavesNoThreadBehind() throws Exception {
    released.countDown();
    for (Socket socket : sockets) {
      socket.close(); // a stop waits for what is under way, and time stands still here
    }
    endpoint.stop(Duration.ZERO);
    threads.assertEnded();
  }

  private HttpRequest.Builder at(String path) {
    return HttpRequest.newBuilder(
        URI.create("http://127.0.0.1:" + endpoint.port().orElseThrow() + path));
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(at(path).build(), HttpResponse.BodyHandlers.ofString());
  }

  private Socket connect(String text) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port().orElseThrow());
    sockets.add(socket);
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.US_ASCII));
    out.flush();
    return socket;
  }

  /** What comes until the other side closes; it may reset instead. */
  private static String rest(Socket socket) {
    try (InputStream in = socket.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      return "";
    }
  }

  @Test
  void showsAPageAndWhatIsBelowIt() throws Exception {
    endpoint.start();
    HttpResponse<String> answer = get("/page/a%20b?x=1&x=%2F&y");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("hello\n");
    assertThat(answer.headers().firstValue("Content-Type")).contains("text/plain; charset=utf-8");
    assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
    PageRequest request = asked.get(0);
    assertThat(request.path()).isEqualTo("/page/a b");
    assertThat(request.values("x")).containsExactly("1", "/");
    assertThat(request.has("y")).isTrue();
    assertThat(request.has("z")).isFalse();
    assertThat(get("/").statusCode()).isEqualTo(404);
    assertThat(get("/pages").statusCode()).isEqualTo(404);
  }

  @Test
  void answersHeadWithoutTheBody() throws Exception {
    endpoint.start();
    HttpResponse<String> answer =
        client.send(
            at("/page").method("HEAD", HttpRequest.BodyPublishers.noBody()).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
    assertThat(answer.headers().firstValue("Content-Length")).contains("6");
  }

  @Test
  void takesNothingButSmallReads() throws Exception {
    endpoint.start();
    HttpResponse<String> post =
        client.send(
            at("/page").POST(HttpRequest.BodyPublishers.ofString("x")).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(post.statusCode()).isEqualTo(405);
    assertThat(post.headers().firstValue("Allow")).contains("GET, HEAD");
    assertThat(rest(connect("GET /page HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")))
        .startsWith("HTTP/1.1 413 ");
    assertThat(get("/page?" + "x".repeat(PageHandler.LONGEST_ADDRESS)).statusCode()).isEqualTo(414);
    HttpRequest long431 =
        at("/page").header("X-Long", "x".repeat(PageHandler.LONGEST_HEADERS)).build();
    assertThat(client.send(long431, HttpResponse.BodyHandlers.ofString()).statusCode())
        .isEqualTo(431);
    assertThat(rest(connect("GET /page?a=%zz HTTP/1.1\r\nHost: a\r\n\r\n")))
        .startsWith("HTTP/1.1 400 ");
    assertThat(asked).isEmpty();
  }

  @Test
  void tellsNoDetailsOfAFailure() throws Exception {
    endpoint.start();
    try (Logs logs = Logs.of(HttpEndpoint.class)) {
      HttpResponse<String> answer = get("/broken");
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).isEqualTo("internal error\n");
      assertThat(logs.lines()).singleElement().asString().contains("GET /broken failed");
    }
  }

  @Test
  void asksTheGatekeeperWithThePathOfThePage() throws Exception {
    List<String> seen = new ArrayList<>();
    authorizer =
        (request, path) -> {
          seen.add(path + " " + request.bearerToken().orElse("-") + " " + request);
          return request.bearerToken().isPresent()
              ? Optional.empty()
              : Optional.of(
                  PageReply.text(401, "who are you?\n").with("WWW-Authenticate", "Bearer"));
        };
    endpoint.start();
    HttpResponse<String> refused = get("/page/x");
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    HttpRequest known = at("/page/y").header("Authorization", "bearer  token ").build();
    assertThat(client.send(known, HttpResponse.BodyHandlers.ofString()).statusCode())
        .isEqualTo(200);
    assertThat(seen)
        .as("a token is in no message")
        .containsExactly("/page - GET /page/x", "/page token GET /page/y with a token");
    authorizer = (request, path) -> raise(new IOException("no review"));
    assertThat(get("/page").statusCode()).as("what fails refuses").isEqualTo(500);
  }

  @Test
  void cutsOffAClientThatSendsTooSlowly() throws Exception {
    endpoint.start();
    Socket slow = connect("GET /page HTTP/1.1\r\nHost: ");
    Eventually.that(() -> assertThat(time.pending()).hasSize(1));
    time.advance(HttpEndpoint.LIMITS.arrival().minusNanos(1));
    assertThat(time.pending()).hasSize(1);
    time.advance(Duration.ofNanos(1));
    assertThat(rest(slow)).isEmpty();
    assertThat(asked).isEmpty();
  }

  @Test
  void closesThoseThatHaveNotArrivedWhenOthersWaitForAThread() throws Exception {
    endpoint.start();
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < HttpEndpoint.LIMITS.threads(); i++) {
      slow.add(connect("G"));
      int connected = i + 1;
      Eventually.that(() -> assertThat(time.pending()).hasSize(connected));
    }
    Socket honest = connect("GET /page HTTP/1.0\r\n\r\n");
    Eventually.that(() -> assertThat(time.pending()).contains(HttpEndpoint.LIMITS.crowded()));
    assertThat(asked).isEmpty();
    time.advance(HttpEndpoint.LIMITS.crowded());
    assertThat(rest(honest)).endsWith("hello\n");
    assertThat(rest(slow.get(0))).isEmpty();
    for (Socket socket : slow) {
      socket.close();
    }
  }

  @Test
  void endsAPageThatTakesTooLong() throws Exception {
    endpoint.start();
    Socket waiting = connect("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
    Eventually.that(() -> assertThat(asked).hasSize(1));
    time.advance(HttpEndpoint.LIMITS.arrival());
    time.advance(HttpEndpoint.LIMITS.request().minus(HttpEndpoint.LIMITS.arrival()));
    rest(waiting);
    assertThat(get("/page").statusCode()).isEqualTo(200);
  }

  @Test
  void closesWhatItHasNoPlaceForAndGoesOn() throws Exception {
    endpoint.start();
    List<Socket> taken = new ArrayList<>();
    for (int i = 0; i < HttpEndpoint.LIMITS.threads() + HttpEndpoint.LIMITS.waiting(); i++) {
      taken.add(connect("GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
    }
    Eventually.that(() -> assertThat(asked).hasSize(HttpEndpoint.PAGES));
    Eventually.that(
        () -> {
          assertThat(rest(connect("GET /page HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")))
              .isEmpty();
          assertThat(endpoint.refused().orElse(0)).isPositive();
        });
    released.countDown();
    for (Socket socket : taken) {
      assertThat(rest(socket)).startsWith("HTTP/1.1 200 ");
    }
    assertThat(get("/page").statusCode()).isEqualTo(200);
  }

  @Test
  void saysThatThePortIsTaken() throws Exception {
    endpoint.start();
    int port = endpoint.port().orElseThrow();
    HttpEndpoint other = endpoint(new BindAddress("127.0.0.1", port));
    assertThatThrownBy(other::start)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("the test endpoint can't listen on 127.0.0.1:" + port + ": ")
        .hasMessageEndingWith(
            "Another process may use the port; choose another one, or '0' for none");
    assertThat(other.port()).isEmpty();
    HttpEndpoint nowhere = endpoint(new BindAddress("no.such.host.invalid", 0));
    assertThatThrownBy(nowhere::start).hasMessageContaining("there is no such host");
  }

  private FutureTask<Boolean> stopInBackground(Duration limit) {
    FutureTask<Boolean> stop = new FutureTask<>(() -> endpoint.stop(limit));
    new Thread(stop).start();
    return stop;
  }

  @Test
  void letsARequestEndAtAStop() throws Exception {
    endpoint.start();
    Socket waiting = connect("GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    Eventually.that(() -> assertThat(asked).hasSize(1));
    FutureTask<Boolean> stop = stopInBackground(Duration.ofMinutes(1));
    Eventually.that(() -> assertThat(time.pending()).contains(Duration.ofMinutes(1)));
    released.countDown();
    assertThat(rest(waiting)).startsWith("HTTP/1.1 200 ");
    assertThat(stop.get()).isTrue();
    assertThat(endpoint.stop(Duration.ZERO)).as("repeatable").isTrue();
  }

  @Test
  void leavesAHangingRequestBehindAtTheLimitOfAStopAndCanStartAgain() throws Exception {
    endpoint.start();
    connect("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
    Eventually.that(() -> assertThat(asked).hasSize(1));
    try (Logs logs = Logs.of(HttpEndpoint.class)) {
      FutureTask<Boolean> stop = stopInBackground(Duration.ofSeconds(7));
      Eventually.that(() -> assertThat(time.pending()).contains(Duration.ofSeconds(7)));
      time.advance(Duration.ofSeconds(7));
      assertThat(stop.get()).isFalse();
      threads.assertEnded();
      assertThat(logs.lines()).as("lines per abandoned request").isEmpty();
    }
    assertThat(endpoint.port()).isEmpty();
    endpoint.start();
    assertThat(get("/page").statusCode()).isEqualTo(200);
  }
}
