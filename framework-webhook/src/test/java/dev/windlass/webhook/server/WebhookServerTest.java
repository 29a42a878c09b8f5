// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.httpserver.BindAddress;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.testing.apiserver.real.access.CertificateAuthority;
import dev.windlass.testing.apiserver.real.access.Credentials;
import dev.windlass.testsupport.Eventually;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class WebhookServerTest {

  private static final Map<HttpClient.Version, HttpClient> CLIENTS = new ConcurrentHashMap<>();

  private static final CertificateAuthority AUTHORITY =
      CertificateAuthority.create(Clock.systemUTC());
  private static final Credentials IDENTITY = AUTHORITY.server("webhooks");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final CountDownLatch release = new CountDownLatch(1);
  private long heap = 1L << 30;
  private int mostConnections = 50;
  private Scheduler scheduler = Scheduler.system();
  private WebhookServer server;
  private URI base;

  @AfterEach
  void stop() throws Exception {
    release.countDown();
    if (server != null) {
      server.stop(Duration.ofSeconds(5), Duration.ZERO);
    }
  }

  private void start(SSLContext tls, Optional<ClientAuthorities> clients) throws IOException {
    Duration timeout = Duration.ofSeconds(5);
    List<WebhookPath> paths =
        List.of(
            new WebhookPath("/echo", body -> body, timeout, 32),
            new WebhookPath("/length", body -> (body.length + "").getBytes(UTF_8), timeout, 32),
            new WebhookPath(
                "/malformed",
                body -> {
                  throw new MalformedRequestException("not a review");
                },
                timeout,
                32),
            new WebhookPath(
                "/broken",
                body -> {
                  throw new IllegalStateException("a secret");
                },
                timeout,
                32),
            new WebhookPath(
                "/hangs",
                body -> {
                  while (true) {
                    try {
                      release.await();
                      return body;
                    } catch (InterruptedException e) {
                      // as bad as user code can be
                    }
                  }
                },
                timeout,
                2));
    server =
        new WebhookServer(
            new BindAddress("127.0.0.1", 0),
            tls,
            clients,
            paths,
            registry,
            scheduler,
            Executors.defaultThreadFactory());
    server.heap(heap);
    server.mostConnections(mostConnections);
    server.start();
    base = URI.create("https://127.0.0.1:" + server.port().orElseThrow());
  }

  private void start() throws Exception {
    start(serverContext(), Optional.empty());
  }

  private static SSLContext serverContext() throws Exception {
    return TestContexts.of(IDENTITY, new TrustManager[0]);
  }

  private static SSLContext clientContext() throws Exception {
    return TestContexts.trusting(AUTHORITY.self());
  }

  private static HttpClient client(HttpClient.Version version) {
    return CLIENTS.computeIfAbsent(
        version,
        missing -> {
          try {
            return HttpClient.newBuilder().sslContext(clientContext()).version(missing).build();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private HttpRequest post(String path, String body) {
    return HttpRequest.newBuilder(base.resolve(path))
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  private HttpResponse<String> send(HttpClient client, String path, String body) throws Exception {
    return client.send(post(path, body), HttpResponse.BodyHandlers.ofString());
  }

  private double counted(String path, int code) {
    return registry
        .get("controller_runtime_webhook_requests_total")
        .tag("webhook", path)
        .tag("code", String.valueOf(code))
        .counter()
        .count();
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void itAnswersInBothVersionsOfHttpAndCounts(HttpClient.Version version) throws Exception {
    start();
    HttpResponse<String> answer = send(client(version), "/echo?timeout=5s", "{\"a\":1}");
    assertThat(answer.version()).isEqualTo(version);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("{\"a\":1}");
    assertThat(answer.headers().firstValue("content-type")).contains("application/json");
    assertThat(answer.headers().firstValue("server")).isEmpty();
    assertThat(counted("/echo", 200)).isOne();
    assertThat(
            registry
                .get("controller_runtime_webhook_requests_in_flight")
                .tag("webhook", "/echo")
                .gauge()
                .value())
        .isZero();
  }

  @ParameterizedTest(name = "{0} {1} {2}: {3}")
  @CsvSource({
    "POST,   /elsewhere, application/json,         404",
    "POST,   /,          application/json,         404",
    "GET,    /echo,      application/json,         405",
    "DELETE, /echo,      application/json,         405",
    "POST,   /echo,      text/plain,               415",
    "POST,   /echo,      application/json;v=1,     200",
    "POST,   /malformed, application/json,         400",
    "POST,   /broken,    application/json,         500",
  })
  void onlyWhatAnApiServerSendsGetsAnAnswer(String method, String path, String type, int status)
      throws Exception {
    start();
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve(path))
            .header("Content-Type", type)
            .method(method, HttpRequest.BodyPublishers.ofString("{}"))
            .build();
    for (HttpClient.Version version : HttpClient.Version.values()) {
      HttpResponse<String> answer =
          client(version).send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(status);
      assertThat(answer.body()).doesNotContain("secret").doesNotContain("Jetty");
    }
  }

  @Test
  void bodiesOfUpTo7MebibytesArrive() throws Exception {
    start();
    for (HttpClient.Version version : HttpClient.Version.values()) {
      HttpClient client = client(version);
      String largest = " ".repeat((int) RequestReceiver.LARGEST);
      assertThat(send(client, "/length", largest).body()).isEqualTo("" + RequestReceiver.LARGEST);
    }
    try (SSLSocket socket = connect()) {
      // The answer comes before the body, so the server does not receive what it refuses.
      String answer =
          exchange(
              socket,
              "POST /length HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                  + "Content-Length: "
                  + (RequestReceiver.LARGEST + 1)
                  + "\r\n\r\n");
      assertThat(answer).startsWith("HTTP/1.1 413");
    }
    try (SSLSocket socket = connect()) {
      String answer =
          exchange(
              socket,
              "POST /length HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                  + "Transfer-Encoding: chunked\r\n\r\n");
      assertThat(answer).startsWith("HTTP/1.1 411");
    }
  }

  @Test
  void allBodiesTakeASmallPartOfTheHeap() throws Exception {
    heap = 64 * 1_000;
    start();
    HttpClient client = client(HttpClient.Version.HTTP_2);
    String most = " ".repeat(600);
    assertThat(send(client, "/length", " ".repeat(1_001)).statusCode()).isEqualTo(413);
    CompletableFuture<HttpResponse<String>> first =
        client.sendAsync(post("/hangs", most), HttpResponse.BodyHandlers.ofString());
    Eventually.until(() -> server.held() == 600);
    HttpResponse<String> later = send(client, "/length", most);
    assertThat(later.statusCode()).isEqualTo(429);
    assertThat(later.headers().firstValue("Retry-After")).contains("1");
    release.countDown();
    assertThat(first.get().statusCode()).isEqualTo(200);
    assertThat(send(client, "/length", most).statusCode()).isEqualTo(200);
    Eventually.until(() -> server.inFlight() == 0);
    assertThat(server.held()).isZero();
  }

  @Test
  void aBodyThatDoesNotArriveIsRefused() throws Exception {
    ManualScheduler clock = new ManualScheduler();
    scheduler = clock;
    start();
    try (SSLSocket socket = connect()) {
      socket
          .getOutputStream()
          .write(
              ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                      + "Content-Length: 20\r\n\r\n{}")
                  .getBytes(UTF_8));
      Eventually.until(() -> clock.pending().size() == 1);
      clock.advance(Duration.ofSeconds(10));
      assertThat(read(socket)).startsWith("HTTP/1.1 408");
    }
    Eventually.until(() -> server.inFlight() == 0);
    assertThat(server.held()).isZero();
  }

  @Test
  void aMalformedQueryHoldsNothing() throws Exception {
    start();
    try (SSLSocket socket = connect()) {
      String answer =
          exchange(
              socket,
              "POST /echo?timeout=%zz HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                  + "Content-Length: 2\r\n\r\n{}");
      assertThat(answer).startsWith("HTTP/1.1 ");
    }
    assertThat(send(client(HttpClient.Version.HTTP_1_1), "/echo", "{}").statusCode())
        .isEqualTo(200);
    Eventually.until(() -> server.inFlight() == 0);
    assertThat(server.held()).isZero();
  }

  private SSLSocket connect() throws Exception {
    return (SSLSocket) clientContext().getSocketFactory().createSocket("127.0.0.1", base.getPort());
  }

  private static String exchange(SSLSocket socket, String request) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(request.getBytes(UTF_8));
    out.flush();
    return read(socket);
  }

  private static String read(SSLSocket socket) throws IOException {
    InputStream in = socket.getInputStream();
    byte[] first = new byte[1024];
    int length = in.read(first);
    return length < 0 ? "" : new String(first, 0, length, UTF_8);
  }

  /** Sends a request in an open connection, and returns the answer. */
  private static String echo(SSLSocket socket) throws IOException {
    InputStream in = socket.getInputStream(); // can't be asked for once the server has closed
    socket
        .getOutputStream()
        .write(
            ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 2\r\n\r\n{}")
                .getBytes(UTF_8));
    StringBuilder answer = new StringBuilder();
    while (!answer.toString().endsWith("{}")) {
      int next = in.read();
      assertThat(next).as("what follows %s", answer).isNotNegative();
      answer.append((char) next);
    }
    return answer.toString();
  }

  @Test
  void aWebhookThatHangsIsAnsweredInTimeAndHarmsNoOther() throws Exception {
    start();
    HttpClient client = client(HttpClient.Version.HTTP_2);
    List<CompletableFuture<HttpResponse<String>>> hanging = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      hanging.add(
          client.sendAsync(post("/hangs?timeout=1s", "{}"), HttpResponse.BodyHandlers.ofString()));
    }
    assertThat(send(client, "/echo", "{}").statusCode()).isEqualTo(200);
    for (CompletableFuture<HttpResponse<String>> one : hanging) {
      assertThat(one.get().statusCode()).isEqualTo(500);
      assertThat(one.get().body()).isEqualTo("the webhook /hangs did not answer within 900 ms");
    }
    assertThat(send(client, "/echo", "{}").statusCode()).isEqualTo(200);
  }

  @Test
  void clientsThatSendNothingCannotKeepOthersOut() throws Exception {
    start();
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < mostConnections + 50; i++) {
        silent.add(new Socket("127.0.0.1", base.getPort()));
      }
      assertThat(send(client(HttpClient.Version.HTTP_1_1), "/echo", "{}").statusCode())
          .isEqualTo(200);
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  /** An API server keeps its idle connections, of which it opens some for each CA bundle. */
  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void idleConnectionsCannotKeepOthersOut(HttpClient.Version version) throws Exception {
    mostConnections = 8;
    start();
    List<HttpClient> clients = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      clients.add(HttpClient.newBuilder().sslContext(clientContext()).version(version).build());
      assertThat(send(clients.get(i), "/echo", "{}").statusCode()).isEqualTo(200);
    }
    for (HttpClient client : clients) {
      assertThat(sendAsGo(client, "/echo", "{}").statusCode()).isEqualTo(200);
    }
  }

  /** An API server repeats a request on which a GOAWAY arrives; the JDK's client does not. */
  private HttpResponse<String> sendAsGo(HttpClient client, String path, String body)
      throws Exception {
    try {
      return send(client, path, body);
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("GOAWAY");
      return send(client, path, body);
    }
  }

  /** In HTTP/1.1, since the JDK's client can wait forever if HTTP/2 ends just after a handshake. */
  private int statusFor(SSLContext tls) throws Exception {
    HttpClient client =
        HttpClient.newBuilder().sslContext(tls).version(HttpClient.Version.HTTP_1_1).build();
    return send(client, "/echo", "{}").statusCode();
  }

  private void isRefused(SSLContext tls) {
    assertThatThrownBy(() -> statusFor(tls)).isInstanceOf(IOException.class);
  }

  @Test
  void withClientCertificatesOnlyKnownClientsGetIn(@TempDir Path folder) throws Exception {
    CertificateAuthority first = CertificateAuthority.create(Clock.systemUTC());
    CertificateAuthority second = CertificateAuthority.create(Clock.systemUTC());
    Path file = folder.resolve("ca.crt");
    Files.writeString(file, first.self().certificatePem());
    ClientAuthorities clients = new ClientAuthorities(file);
    start(TestContexts.of(IDENTITY, clients), Optional.of(clients));
    SSLContext known = TestContexts.of(first.client("a", List.of()), AUTHORITY.self());
    SSLContext other = TestContexts.of(second.client("b", List.of()), AUTHORITY.self());
    assertThat(statusFor(known)).isEqualTo(200);
    isRefused(other);
    isRefused(clientContext());

    Files.writeString(file, second.self().certificatePem());
    clients.run();

    assertThat(statusFor(other)).isEqualTo(200);
    isRefused(known); // although it continues a session of before
    Files.writeString(file, "garbage");
    clients.run();
    assertThat(statusFor(other)).isEqualTo(200);
  }

  /** In HTTP/1.1, since the JDK's client can't survive a GOAWAY; the API server's can. */
  @Test
  void aStopAnswersWhatIsInProgressFirst() throws Exception {
    start();
    HttpClient client = client(HttpClient.Version.HTTP_1_1);
    CompletableFuture<HttpResponse<String>> answer =
        client.sendAsync(post("/hangs", "{}"), HttpResponse.BodyHandlers.ofString());
    Eventually.until(() -> server.inFlight() == 1);
    CompletableFuture<Boolean> stopped = stopInBackground(Duration.ZERO);
    release.countDown();
    assertThat(answer.get().statusCode()).isEqualTo(200);
    assertThat(stopped.get()).isTrue();
    assertThatThrownBy(() -> send(client, "/echo", "{}")).isInstanceOf(IOException.class);
    assertThat(registry.getMeters()).isEmpty();
  }

  private CompletableFuture<Boolean> stopInBackground(Duration quiet) {
    CompletableFuture<Boolean> stopped =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return server.stop(Duration.ofSeconds(20), quiet);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    Eventually.until(() -> server.port().isEmpty());
    return stopped;
  }

  /** A client may send a request into an open connection just before it learns of the stop. */
  @Test
  void aStopAnswersRequestsInOpenConnectionsUntilNoneArrive() throws Exception {
    ManualScheduler clock = new ManualScheduler();
    scheduler = clock;
    start();
    try (SSLSocket socket = connect()) {
      assertThat(echo(socket)).startsWith("HTTP/1.1 200");
      clock.advance(Duration.ofMillis(900));
      CompletableFuture<Boolean> stopped = stopInBackground(Duration.ofSeconds(1));
      // The limit, the check for requests, and the end of new connections.
      Eventually.until(() -> clock.pending().size() == 3);
      assertThat(echo(socket)).startsWith("HTTP/1.1 200");
      clock.advance(Duration.ofMillis(999));
      assertThat(stopped).isNotDone();
      clock.advance(Duration.ofMillis(1));
      assertThat(stopped.get()).isTrue();
    }
  }

  @Test
  void whileItDrainsEachConnectionOfHttp1EndsAfterItsAnswer() throws Exception {
    start();
    server.drain();
    HttpResponse<String> answer = send(client(HttpClient.Version.HTTP_1_1), "/echo", "{}");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("connection")).contains("close");
  }

  @Test
  void aPortInUseIsReportedAndLeavesNothingBehind() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      WebhookServer other =
          new WebhookServer(
              new BindAddress("", taken.getLocalPort()),
              serverContext(),
              Optional.empty(),
              List.of(),
              registry,
              Scheduler.system(),
              Executors.defaultThreadFactory());
      assertThatThrownBy(other::start)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(":" + taken.getLocalPort())
          .hasMessageContaining("choose another one");
      assertThat(other.port()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"5s, 5000", "1m0s, 30000", "1.5s, 1500", "10ms, 30000", "'', 30000", "x, 30000"})
  void theTimeoutOfTheRequestIsReadAsGoWritesIt(String value, long millis) {
    assertThat(RequestReceiver.duration(value)).isEqualTo(Duration.ofMillis(millis));
  }
}
