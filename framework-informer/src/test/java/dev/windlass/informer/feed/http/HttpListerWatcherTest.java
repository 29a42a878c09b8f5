// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.windlass.informer.feed.FeedEvent;
import dev.windlass.informer.feed.FeedFailure;
import dev.windlass.informer.feed.FeedFailure.Reason;
import dev.windlass.informer.feed.FeedStream;
import dev.windlass.informer.feed.ListRequest;
import dev.windlass.informer.feed.ListerWatcher;
import dev.windlass.informer.feed.WatchRequest;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is asked for, and what is understood of a refusal, over a real socket. What the transports
 * have to do stands in {@code TransportContract} of framework-testing.
 */
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
    return new HttpListerWatcher(client, CONFIG_MAPS, WatchScope.ALL);
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
            WatchScope.namespace("n").withLabels("a in (b, c)").withFields("d!=é"),
            new ListRequest(2, "to/k+n=&x"),
            "/api/v1/namespaces/n/configmaps?labelSelector=a+in+%28b%2C+c%29&fieldSelector=d%21%3D%C3%A9"
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
    all(new HttpListerWatcher(client, c.type(), c.scope()).list(c.request(), wakeUps::release));
    assertThat(requests).containsExactly(c.uri());
  }

  @Test
  void asksForAWatchWithBookmarksAndATimeOut() throws Exception {
    answer = exchange -> send(exchange, 500, "");
    all(
        new HttpListerWatcher(client, CONFIG_MAPS, WatchScope.ALL.withLabels("a=b"))
            .watch(WATCH, wakeUps::release));
    assertThat(requests)
        .containsExactly(
            "/api/v1/configmaps?labelSelector=a%3Db&watch=true&allowWatchBookmarks=true"
                + "&resourceVersion=5&timeoutSeconds=25");
  }

  @Test
  void saysWhatIsWatchedWhere() {
    assertThat(source().describe()).startsWith("configmaps in all namespaces at http://127.0.0.1:");
    assertThat(source().access()).hasToString("the verbs list and watch on configmaps");
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

  /**
   * One failure with the server's message, for lists and for watches; no retries
   * (docs/reliability.md, A11, A12).
   */
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
