// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.windlass.informer.feed.FeedFailure.Reason;
import dev.windlass.object.ConfigMaps;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Over a real socket, through the client's own transport. */
@Timeout(60)
final class HttpListerWatcherTest {

  private static final ListRequest LIST = new ListRequest(500, "");
  private static final WatchRequest WATCH = new WatchRequest("5", Duration.ofSeconds(25));
  private static final ResourceType CONFIG_MAPS = ResourceType.of(ConfigMap.class);

  private interface Answer {
    void give(HttpExchange exchange) throws Exception;
  }

  private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
  private final Semaphore wakeUps = new Semaphore(0);
  private final ExecutorService workers = Executors.newCachedThreadPool();
  private HttpServer server = unstarted();
  private KubernetesClient client =
      new KubernetesClientBuilder().withConfig(Config.empty()).build();
  private volatile Answer answer = exchange -> {};

  private static HttpServer unstarted() {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new IllegalStateException("no port for the test's server", e);
    }
  }

  @BeforeEach
  void startsTheServer() {
    server.setExecutor(workers);
    server.createContext(
        "/",
        exchange -> {
          requests.add(exchange.getRequestURI().toString());
          try (exchange) {
            answer.give(exchange);
          } catch (IOException e) {
            // the client went away, as some of the tests want it to
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    server.start();
    client.close();
    client = clientOf(server.getAddress().getPort());
  }

  private static KubernetesClient clientOf(int port) {
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder(Config.empty()).withMasterUrl("http://127.0.0.1:" + port).build())
        .build();
  }

  @AfterEach
  void stopsTheServer() {
    client.close();
    server.stop(0);
    workers.shutdownNow();
  }

  private ListerWatcher source() {
    return ListerWatcher.http(client, CONFIG_MAPS, WatchScope.ALL);
  }

  private FeedEvent next(FeedStream stream) throws InterruptedException {
    while (true) {
      Optional<FeedEvent> event = stream.poll();
      if (event.isPresent()) {
        return event.get();
      }
      if (!wakeUps.tryAcquire(20, TimeUnit.SECONDS)) {
        throw new AssertionError("nothing arrived, and nobody was woken");
      }
    }
  }

  private List<String> all(FeedStream stream) throws InterruptedException {
    List<String> seen = new ArrayList<>();
    FeedEvent event;
    do {
      event = next(stream);
      seen.add(Feeds.show(event));
    } while (event.type() != FeedEvent.Type.FAILED
        && event.type() != FeedEvent.Type.ENDED
        && event.type() != FeedEvent.Type.LIST_END);
    assertThat(stream.poll()).as("nothing follows").isEmpty();
    stream.close();
    stream.close();
    return seen;
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
  }

  record Address(ResourceType type, WatchScope scope, ListRequest request, String uri) {}

  static Stream<Address> lists() {
    return Stream.of(
        new Address(CONFIG_MAPS, WatchScope.ALL, LIST, "/api/v1/configmaps?limit=500"),
        new Address(
            CONFIG_MAPS,
            WatchScope.namespace("n"),
            new ListRequest(0, ""),
            "/api/v1/namespaces/n/configmaps?"),
        new Address(
            CONFIG_MAPS,
            WatchScope.namespace("n").withLabels("a in (b, c),d!=é"),
            new ListRequest(2, "to/k+n=&x"),
            "/api/v1/namespaces/n/configmaps?labelSelector=a+in+%28b%2C+c%29%2Cd%21%3D%C3%A9"
                + "&limit=2&continue=to%2Fk%2Bn%3D%26x"),
        new Address(
            ResourceType.of(Node.class),
            WatchScope.namespace("n"),
            LIST,
            "/api/v1/nodes?limit=500"));
  }

  @ParameterizedTest
  @MethodSource("lists")
  void asksForAList(Address c) throws Exception {
    answer = exchange -> send(exchange, 500, "");
    all(ListerWatcher.http(client, c.type(), c.scope()).list(c.request(), wakeUps::release));
    assertThat(requests).containsExactly(c.uri());
  }

  @Test
  void asksForAWatchWithBookmarksAndATimeOut() throws Exception {
    answer = exchange -> send(exchange, 500, "");
    all(
        ListerWatcher.http(client, CONFIG_MAPS, WatchScope.ALL.withLabels("a=b"))
            .watch(WATCH, wakeUps::release));
    assertThat(requests)
        .containsExactly(
            "/api/v1/configmaps?labelSelector=a%3Db&watch=true&allowWatchBookmarks=true"
                + "&resourceVersion=5&timeoutSeconds=25");
  }

  @Test
  void saysWhatIsWatchedWhere() {
    assertThat(source().describe()).startsWith("configmaps in all namespaces at http://127.0.0.1:");
  }

  @Test
  void readsAListThatArrivesBitByBit() throws Exception {
    String item = ConfigMaps.json("é😀", "u", "1");
    String list =
        "{\"kind\":\"List\",\"items\":["
            + item
            + ","
            + item
            + "],"
            + "\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\"t\"}}";
    answer =
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          OutputStream body = exchange.getResponseBody();
          for (byte b : list.getBytes(StandardCharsets.UTF_8)) {
            body.write(b);
            body.flush();
          }
        };
    assertThat(all(source().list(LIST, wakeUps::release)))
        .containsExactly("opened", "listed " + item, "listed " + item, "end 9/t");
  }

  @Test
  void readsAListOfManyPieces() throws Exception {
    int count = 20_000;
    answer =
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          OutputStream body = exchange.getResponseBody();
          body.write(
              "{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":["
                  .getBytes(StandardCharsets.UTF_8));
          for (int i = 0; i < count; i++) {
            String item = (i == 0 ? "" : ",") + ConfigMaps.json("o" + i, "u" + i, "" + i);
            body.write(item.getBytes(StandardCharsets.UTF_8));
          }
          body.write("]}".getBytes(StandardCharsets.UTF_8));
        };
    List<String> seen = all(source().list(LIST, wakeUps::release));
    assertThat(seen).hasSize(count + 2).endsWith("end 9/");
    assertThat(seen.get(count)).contains("\"o" + (count - 1) + "\"");
  }

  /** Events arrive when they happen, not when a buffer is full; then the server ends the watch. */
  @Test
  void handsOutWatchEventsAsTheyHappen() throws Exception {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    answer =
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          OutputStream body = exchange.getResponseBody();
          body.flush();
          for (String line = lines.take(); !line.isEmpty(); line = lines.take()) {
            body.write(line.getBytes(StandardCharsets.UTF_8));
            body.flush();
          }
        };
    FeedStream stream = source().watch(WATCH, wakeUps::release);
    lines.add("{\"type\":\"ADDED\",\"object\":{\"a\":1}}\n{\"type\":\"MOD");
    assertThat(Feeds.show(next(stream))).isEqualTo("opened");
    assertThat(Feeds.show(next(stream))).isEqualTo("added {\"a\":1}");
    assertThat(stream.poll()).isEmpty();
    lines.add("IFIED\",\"object\":{\"a\":2}}\n");
    assertThat(Feeds.show(next(stream))).isEqualTo("modified {\"a\":2}");
    lines.add("");
    assertThat(all(stream)).containsExactly("ended");
  }

  record Refusal(
      int status, String retryAfter, String body, Reason reason, String message, int waits) {}

  static Stream<Refusal> refusals() {
    String status = "{\"kind\":\"Status\",\"metadata\":{},\"message\":\"%s\",\"code\":1}";
    return Stream.of(
        new Refusal(401, "", status.formatted("who?"), Reason.UNAUTHORIZED, "HTTP 401: who?", 0),
        new Refusal(403, "", status.formatted("no"), Reason.FORBIDDEN, "HTTP 403: no", 0),
        new Refusal(404, "", status.formatted("what?"), Reason.UNKNOWN_TYPE, "HTTP 404: what?", 0),
        new Refusal(410, "", status.formatted("too old"), Reason.EXPIRED, "HTTP 410: too old", 0),
        new Refusal(410, "", "", Reason.EXPIRED, "HTTP 410", 0),
        new Refusal(429, "7", status.formatted("slow"), Reason.THROTTLED, "HTTP 429: slow", 7),
        new Refusal(429, "-1", "", Reason.THROTTLED, "HTTP 429", 0),
        new Refusal(429, "Wed, 21 Oct 2026 07:28:00 GMT", "", Reason.THROTTLED, "HTTP 429", 0),
        new Refusal(503, "3", "", Reason.THROTTLED, "HTTP 503", 3),
        new Refusal(502, "", "<html>Bad Gateway</html>", Reason.SERVER_ERROR, "HTTP 502", 0),
        new Refusal(500, "", "x".repeat(1_000_000), Reason.SERVER_ERROR, "HTTP 500", 0),
        new Refusal(400, "", "", Reason.INVALID, "HTTP 400", 0));
  }

  /** A11, A12: one failure with what the server said, for lists and for watches; no retries. */
  @ParameterizedTest
  @MethodSource("refusals")
  void saysWhyTheServerRefuses(Refusal c) throws Exception {
    answer =
        exchange -> {
          if (!c.retryAfter().isEmpty()) {
            exchange.getResponseHeaders().add("Retry-After", c.retryAfter());
          }
          send(exchange, c.status(), c.body());
        };
    FeedFailure expected = new FeedFailure(c.reason(), c.message(), Duration.ofSeconds(c.waits()));
    for (FeedStream stream :
        List.of(source().list(LIST, wakeUps::release), source().watch(WATCH, wakeUps::release))) {
      assertThat(next(stream)).isEqualTo(new FeedEvent.Failed(expected));
      assertThat(stream.poll()).isEmpty();
      stream.close();
    }
    assertThat(requests).hasSize(2);
  }

  /** A12: a page of a balancer with status 200 is no empty list. */
  @Test
  void takesAPageOfABalancerAsAFailure() throws Exception {
    answer = exchange -> send(exchange, 200, "<html>Welcome</html>");
    assertThat(all(source().list(LIST, wakeUps::release)))
        .hasSize(2)
        .element(1)
        .asString()
        .startsWith("failed MALFORMED");
  }

  /** B1: what was whole is handed out, and then it is said that the connection broke. */
  @Test
  void saysThatTheConnectionBroke() throws Exception {
    answer =
        exchange -> {
          exchange.sendResponseHeaders(200, 10_000);
          exchange
              .getResponseBody()
              .write(
                  "{\"type\":\"ADDED\",\"object\":{\"a\":1}}\n{\"type\":"
                      .getBytes(StandardCharsets.UTF_8));
          exchange.getResponseBody().flush();
        };
    List<String> seen = all(source().watch(WATCH, wakeUps::release));
    assertThat(seen).startsWith("opened").last().asString().startsWith("failed UNREACHABLE");
  }

  /** A1: at once, and once; our back-off is the only one. */
  @Test
  void saysThatNobodyListens() throws Exception {
    int port = server.getAddress().getPort();
    server.stop(0);
    try (KubernetesClient alone = clientOf(port)) {
      List<String> seen =
          all(ListerWatcher.http(alone, CONFIG_MAPS, WatchScope.ALL).list(LIST, wakeUps::release));
      assertThat(seen).singleElement().asString().startsWith("failed UNREACHABLE");
    }
  }

  @Test
  void saysThatTheClientWasClosed() throws Exception {
    ListerWatcher source = source();
    client.close();
    assertThat(all(source.list(LIST, wakeUps::release)))
        .singleElement()
        .asString()
        .startsWith("failed ");
  }

  /** Sends events until the connection is gone, and counts the bytes. */
  private Answer endless(AtomicLong sent, CountDownLatch gone) {
    byte[] line =
        ("{\"type\":\"ADDED\",\"object\":{\"a\":\"" + "x".repeat(100_000) + "\"}}\n")
            .getBytes(StandardCharsets.UTF_8);
    return exchange -> {
      try {
        exchange.sendResponseHeaders(200, 0);
        while (sent.get() < 1_000_000_000L) {
          exchange.getResponseBody().write(line);
          exchange.getResponseBody().flush();
          sent.addAndGet(line.length);
        }
      } catch (IOException e) {
        gone.countDown();
        throw e;
      }
    };
  }

  /** P8: a reader that does not poll slows the server down; and a close closes the connection. */
  @Test
  void takesNoMoreThanIsPolledAndClosesTheConnection() throws Exception {
    AtomicLong sent = new AtomicLong();
    CountDownLatch gone = new CountDownLatch(1);
    answer = endless(sent, gone);
    FeedStream stream = source().watch(WATCH, wakeUps::release);
    assertThat(Feeds.show(next(stream))).isEqualTo("opened");
    assertThat(Feeds.show(next(stream))).startsWith("added ");
    long before;
    do { // until the server is stuck, or has sent more than buffers may hold
      before = sent.get();
      assertThat(gone.await(300, TimeUnit.MILLISECONDS)).isFalse();
    } while (sent.get() != before && before < 100_000_000L);
    assertThat(sent.get()).isLessThan(100_000_000L);
    stream.close();
    assertThat(gone.await(20, TimeUnit.SECONDS)).as("the server noticed").isTrue();
    assertThat(sent.get()).as("bounded by the buffers between").isLessThan(100_000_000L);
    assertThat(stream.poll()).isEmpty();
  }

  /** A stream that is closed before the server answers takes nothing of the answer. */
  @Test
  void closesTheConnectionThoughTheAnswerComesAfterTheClose() throws Exception {
    AtomicLong sent = new AtomicLong();
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    CountDownLatch gone = new CountDownLatch(1);
    Answer endless = endless(sent, gone);
    answer =
        exchange -> {
          asked.countDown();
          closed.await();
          endless.give(exchange);
        };
    FeedStream stream = source().watch(WATCH, wakeUps::release);
    assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
    stream.close();
    closed.countDown();
    assertThat(gone.await(20, TimeUnit.SECONDS)).as("the server noticed").isTrue();
    assertThat(stream.poll()).isEmpty();
  }

  /** The race between headers and close, many times: no connection survives. */
  @Test
  void closesTheConnectionWhateverTheMoment() throws Exception {
    int times = 50;
    CountDownLatch gone = new CountDownLatch(times);
    AtomicLong sent = new AtomicLong();
    answer = endless(sent, gone);
    for (int i = 0; i < times; i++) {
      FeedStream stream = source().watch(WATCH, wakeUps::release);
      requests.poll(20, TimeUnit.SECONDS); // the server is about to answer
      for (int spin = 0; spin < i * 20; spin++) {
        Thread.onSpinWait();
      }
      stream.poll();
      stream.close();
    }
    assertThat(gone.await(30, TimeUnit.SECONDS)).as("left open: %d", gone.getCount()).isTrue();
  }

  /** An answer that has ended has given its connection back, maybe to somebody else. */
  @Test
  void leavesTheConnectionOfAnUnreadAnswerToWhoHasItNow() throws Exception {
    BlockingQueue<Integer> connections = new LinkedBlockingQueue<>();
    CountDownLatch closed = new CountDownLatch(1);
    answer =
        exchange -> {
          connections.add(exchange.getRemoteAddress().getPort());
          if (!exchange.getRequestURI().toString().contains("watch=true")) {
            send(exchange, 200, "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[]}");
            return;
          }
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().flush();
          closed.await();
          String event = "{\"type\":\"ADDED\",\"object\":{\"a\":1}}\n";
          exchange.getResponseBody().write(event.getBytes(StandardCharsets.UTF_8));
        };
    FeedStream unread = source().list(LIST, wakeUps::release);
    assertThat(wakeUps.tryAcquire(20, TimeUnit.SECONDS)).as("it has answered").isTrue();
    assertThat(closed.await(200, TimeUnit.MILLISECONDS)).as("to its end").isFalse();
    FeedStream watch = source().watch(WATCH, wakeUps::release);
    assertThat(Feeds.show(next(watch))).isEqualTo("opened");
    assertThat(connections.take()).as("one connection").isEqualTo(connections.take());

    unread.close();
    closed.countDown();

    assertThat(Feeds.show(next(watch))).startsWith("added");
    watch.close();
  }
}
