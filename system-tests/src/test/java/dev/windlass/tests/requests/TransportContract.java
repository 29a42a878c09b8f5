// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.informer.reflector.FeedStream;
import dev.windlass.informer.reflector.ListerWatcher;
import dev.windlass.informer.reflector.ListerWatcher.ListRequest;
import dev.windlass.informer.reflector.ListerWatcher.WatchRequest;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the feed requires of an HTTP transport: bytes as they arrive and no faster than they are
 * read, exactly one end, and a close that reaches the server. Tested on an API server, and on a
 * scripted server that behaves as API servers don't. Covers docs/reliability.md, A1, A2, A5, A6,
 * A11, A12, B1, B6, C7, C8, E2 and E3.
 */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TransportContract {

  private static final long LIMIT = 20;
  private static final ListRequest LIST = new ListRequest(500, "");
  private static final WatchRequest WATCH = new WatchRequest("5", Duration.ofSeconds(25));
  private static final ObjectCodec<ConfigMap> CODEC = ObjectCodec.of(ConfigMap.class);
  private static final ResourceType CONFIG_MAPS = CODEC.type();
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  private final HttpClient.Factory factory;
  private final Semaphore wakeUps = new Semaphore(0);
  private final List<FeedStream> streams = new ArrayList<>();
  private final ScriptedServer scripted = new ScriptedServer();
  private final KubernetesClient client;

  /** Whether a close ends the connection, even if it meets the transport in a read. */
  private final boolean closesWhileItReads;

  TransportContract(HttpClient.Factory factory, boolean closesWhileItReads) {
    this.factory = factory;
    this.closesWhileItReads = closesWhileItReads;
    client = clientOf(scripted.url());
  }

  /** As the manager makes it: without HTTP/2 (ADR 0040). */
  private KubernetesClient clientOf(String url) {
    return clientOf(url, Config.empty().getConnectionTimeout());
  }

  private KubernetesClient clientOf(String url, int connectionTimeoutMillis) {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(url)
            .withHttp2Disable(true)
            .withConnectionTimeout(connectionTimeoutMillis)
            .build();
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientFactory(factory)
        .withKubernetesSerialization(SERIALIZATION)
        .build();
  }

  @AfterEach
  void closesStreams() {
    streams.forEach(FeedStream::close);
    streams.clear();
    scripted.requests().clear();
  }

  @AfterAll
  void stopsTheServer() {
    client.close();
    scripted.close();
  }

  // ---- reading streams

  private FeedStream list() {
    return opened(source().list(LIST, wakeUps::release));
  }

  private FeedStream watch() {
    return opened(source().watch(WATCH, wakeUps::release));
  }

  private FeedStream opened(FeedStream stream) {
    streams.add(stream);
    return stream;
  }

  private ListerWatcher source() {
    return new HttpListerWatcher(client, CONFIG_MAPS, WatchScope.ALL);
  }

  /** Waits for wake-ups only, so a transport that forgets one fails here. */
  private FeedEvent next(FeedStream stream) throws InterruptedException {
    while (true) {
      Optional<FeedEvent> event = stream.poll();
      if (event.isPresent()) {
        return event.get();
      }
      if (!wakeUps.tryAcquire(LIMIT, TimeUnit.SECONDS)) {
        throw new AssertionError("nothing arrived, and nobody was woken");
      }
    }
  }

  private String shown(FeedStream stream) throws InterruptedException {
    return show(next(stream));
  }

  /** All events to the last one, behind which nothing may follow. */
  private List<String> all(FeedStream stream) throws InterruptedException {
    List<String> seen = new ArrayList<>();
    FeedEvent event;
    do {
      event = next(stream);
      seen.add(show(event));
    } while (!isLast(event));
    assertThat(stream.poll()).as("nothing follows").isEmpty();
    stream.close();
    stream.close();
    return seen;
  }

  private FeedFailure failure(FeedStream stream) throws InterruptedException {
    FeedEvent event = next(stream);
    while (!isLast(event)) {
      event = next(stream);
    }
    assertThat(event).isInstanceOf(FeedEvent.Failed.class);
    stream.close();
    return ((FeedEvent.Failed) event).failure();
  }

  private static boolean isLast(FeedEvent event) {
    return switch (event.type()) {
      case FAILED, ENDED, LIST_END -> true;
      case OPENED, LISTED, ADDED, MODIFIED, DELETED, BOOKMARK -> false;
    };
  }

  private static String show(FeedEvent event) {
    return switch (event.type()) {
      case OPENED -> "opened";
      case LISTED -> "listed " + text(((FeedEvent.Change) event).json());
      case ADDED -> "added " + text(((FeedEvent.Change) event).json());
      case MODIFIED -> "modified " + text(((FeedEvent.Change) event).json());
      case DELETED -> "deleted " + text(((FeedEvent.Change) event).json());
      case LIST_END ->
          "end "
              + ((FeedEvent.ListEnd) event).resourceVersion()
              + "/"
              + ((FeedEvent.ListEnd) event).continueToken();
      case BOOKMARK -> "bookmark";
      case FAILED -> "failed " + ((FeedEvent.Failed) event).failure().reason();
      case ENDED -> "ended";
    };
  }

  private static String text(FeedEvent.Json json) {
    return new String(json.buffer(), json.offset(), json.length(), StandardCharsets.UTF_8);
  }

  private static String line(String type, String object) {
    return "{\"type\":\"" + type + "\",\"object\":" + object + "}\n";
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(utf8(text));
    }
    return packed.toByteArray();
  }

  /** Any latch or queue: waits for an answer that comes soon, or not at all. */
  private static void await(CountDownLatch latch, String what) throws InterruptedException {
    assertThat(latch.await(LIMIT, TimeUnit.SECONDS)).as(what).isTrue();
  }

  @Nested
  final class OnAnApiServer {

    private final EmbeddedApiServer server = EmbeddedApiServer.start();
    private final KubernetesClient own = clientOf(server.url());
    private final ListerWatcher source = new HttpListerWatcher(own, CONFIG_MAPS, WatchScope.ALL);

    @AfterEach
    void stops() {
      closesStreams();
      own.close();
      server.close();
    }

    /**
     * A complete informer whose connections are cut again and again (docs/reliability.md, bugs 1
     * and 7).
     */
    @Test
    void carriesAnInformerThroughCuts() throws Exception {
      SharedIndexInformer<ConfigMap> informer =
          new SharedIndexInformer<>(CODEC, source, InformerOptions.defaults().withRandom(() -> 0));
      BlockingQueue<ObjectKey> heard = new LinkedBlockingQueue<>();
      informer.addEventHandler(event -> heard.add(event.key()));
      informer.start();
      try {
        for (int i = 0; i < 3; i++) {
          own.resource(Samples.map("default", "o" + i)).create();
          assertThat(heard.poll(LIMIT, TimeUnit.SECONDS))
              .isEqualTo(ObjectKey.of("default", "o" + i));
          server.dropWatches();
        }
        assertThat(informer.status().relists()).isZero();
      } finally {
        assertThat(informer.stop(Duration.ofSeconds(LIMIT))).isTrue();
      }
    }
  }

  @Nested
  final class OnOddAnswers {

    /** Chunks, packets and characters are split at any point. */
    @Test
    void readsAWatchThatArrivesByteByByte() throws Exception {
      String first = "{\"a\":\"é😀\"}";
      String second = "{\"a\":2}";
      scripted.play(
          c -> {
            c.stream();
            for (byte b : utf8(line("ADDED", first) + line("MODIFIED", second))) {
              for (byte part : ScriptedServer.Connection.asChunk(new byte[] {b})) {
                c.raw(new byte[] {part});
              }
            }
            c.endOfChunks();
          });
      assertThat(all(watch()))
          .containsExactly("opened", "added " + first, "modified " + second, "ended");
    }

    private static String listOf(int count, String filling) {
      StringBuilder list = new StringBuilder("{\"kind\":\"List\",\"items\":[");
      for (int i = 0; i < count; i++) {
        list.append(i == 0 ? "" : ",").append("{\"i\":").append(i).append(filling).append('}');
      }
      return list + "],\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\"t\"}}";
    }

    @Test
    void readsAListOfManyPieces() throws Exception {
      int count = 20_000;
      scripted.play(c -> c.whole(200, listOf(count, ",\"x\":\"" + "y".repeat(150) + "\"")));
      List<String> seen = all(list());
      assertThat(seen).hasSize(count + 2).endsWith("end 9/t");
      assertThat(seen.get(count)).startsWith("listed {\"i\":" + (count - 1) + ",");
    }

    /** The server may pack a list, in pieces of any size; it was asked to. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1_000_000})
    void readsAPackedList(int piece) throws Exception {
      BlockingQueue<String> heads = new LinkedBlockingQueue<>();
      scripted.play(
          c -> {
            heads.add(c.head());
            byte[] packed = gzip(listOf(3, ",\"x\":\"é😀\""));
            c.stream("Content-Encoding: gzip", "Content-Type: application/json");
            for (int at = 0; at < packed.length; at += piece) {
              int end = Math.min(packed.length, at + piece);
              c.chunk(Arrays.copyOfRange(packed, at, end));
            }
            c.endOfChunks();
          });
      assertThat(all(list()))
          .hasSize(5)
          .contains("listed {\"i\":2,\"x\":\"é😀\"}")
          .endsWith("end 9/t");
      assertThat(heads.poll(LIMIT, TimeUnit.SECONDS)).containsIgnoringCase("accept-encoding: gzip");
    }

    /** etcd's limit is 1.5 MB. */
    @Test
    void readsAFrameOfTwoMegabytes() throws Exception {
      String large = "{\"a\":\"" + "x".repeat(2_000_000) + "\"}";
      scripted.play(
          c -> {
            c.stream();
            c.chunk(line("ADDED", large) + line("MODIFIED", "{\"a\":2}"));
            c.endOfChunks();
          });
      assertThat(all(watch()))
          .containsExactly("opened", "added " + large, "modified {\"a\":2}", "ended");
    }

    /** Events arrive when they happen, not when a buffer is full; also half of one. */
    @Test
    void handsOutWatchEventsAsTheyHappen() throws Exception {
      BlockingQueue<String> pieces = new LinkedBlockingQueue<>();
      scripted.play(
          c -> {
            c.stream();
            for (String piece = pieces.take(); !piece.isEmpty(); piece = pieces.take()) {
              c.chunk(piece);
            }
            c.endOfChunks();
          });
      FeedStream stream = watch();
      assertThat(shown(stream)).isEqualTo("opened");
      pieces.add(line("ADDED", "{\"a\":1}") + "{\"type\":\"MOD");
      assertThat(shown(stream)).isEqualTo("added {\"a\":1}");
      assertThat(stream.poll()).isEmpty();
      pieces.add("IFIED\",\"object\":{\"a\":2}}\n");
      assertThat(shown(stream)).isEqualTo("modified {\"a\":2}");
      pieces.add("");
      assertThat(all(stream)).containsExactly("ended");
    }

    /**
     * No transport may silently queue requests behind a number of open watches
     * (docs/reliability.md, bug 10).
     */
    @Test
    void opensAHundredWatchesAndAListBesides() throws Exception {
      scripted.play(
          c -> {
            if (c.head().contains("watch=true")) {
              c.stream();
              c.awaitEnd();
            } else {
              c.whole(200, listOf(1, ""));
            }
          });
      List<FeedStream> watches = IntStream.range(0, 100).mapToObj(i -> watch()).toList();
      for (FeedStream watch : watches) {
        assertThat(shown(watch)).isEqualTo("opened");
      }
      assertThat(all(list())).endsWith("end 9/t");
    }
  }

  @Nested
  final class OnRequests {

    record Address(ResourceType type, WatchScope scope, ListRequest request, String uri) {}

    static Stream<Address> lists() {
      WatchScope inN = WatchScope.namespace("n");
      return Stream.of(
          new Address(CONFIG_MAPS, WatchScope.ALL, LIST, "/api/v1/configmaps?limit=500"),
          new Address(CONFIG_MAPS, inN, new ListRequest(0, ""), "/api/v1/namespaces/n/configmaps"),
          new Address(
              CONFIG_MAPS,
              inN.withLabels("a in (b, c)").withFields("d!=é"),
              new ListRequest(2, "to/k+n=&x"),
              "/api/v1/namespaces/n/configmaps?labelSelector=a+in+%28b%2C+c%29"
                  + "&fieldSelector=d%21%3D%C3%A9&limit=2&continue=to%2Fk%2Bn%3D%26x"),
          new Address(ResourceType.of(Node.class), inN, LIST, "/api/v1/nodes?limit=500"));
    }

    /** Some transports leave out the mark of an empty query. */
    private void assertAsked(String uri) {
      assertThat(scripted.requests())
          .singleElement()
          .extracting(line -> line.replace("? ", " "))
          .isEqualTo("GET " + uri + " HTTP/1.1");
    }

    @ParameterizedTest
    @MethodSource("lists")
    void asksForAList(Address c) throws Exception {
      scripted.play(connection -> connection.whole(500, ""));
      ListerWatcher source = new HttpListerWatcher(client, c.type(), c.scope());
      failure(opened(source.list(c.request(), wakeUps::release)));
      assertAsked(c.uri());
    }

    @Test
    void asksForAWatchWithBookmarksAndATimeOut() throws Exception {
      scripted.play(connection -> connection.whole(500, ""));
      WatchScope scope = WatchScope.ALL.withLabels("a=b");
      ListerWatcher source = new HttpListerWatcher(client, CONFIG_MAPS, scope);
      failure(opened(source.watch(WATCH, wakeUps::release)));
      assertAsked(
          "/api/v1/configmaps?labelSelector=a%3Db&watch=true&allowWatchBookmarks=true"
              + "&resourceVersion=5&timeoutSeconds=25");
    }

    @Test
    void saysWhatIsWatchedWhere() {
      assertThat(source().describe())
          .startsWith("configmaps in all namespaces at http://127.0.0.1:");
      assertThat(source().access()).hasToString("the verbs list and watch on configmaps");
    }
  }

  @Nested
  final class OnRefusals {

    @Test
    void saysThatAVersionHasExpiredAtTheStartAndInTheMiddle() throws Exception {
      String status = "{\"kind\":\"Status\",\"code\":410,\"message\":\"too old\"}";
      scripted.play(c -> c.whole(410, status));
      assertThat(failure(watch())).isEqualTo(FeedFailure.of(Reason.EXPIRED, "HTTP 410: too old"));
      scripted.play(
          c -> {
            c.stream();
            c.chunk(
                line("ADDED", "{\"a\":1}") + line("ERROR", status) + line("ADDED", "{\"a\":2}"));
            c.endOfChunks();
          });
      assertThat(all(watch()))
          .as("and what comes behind it is not believed")
          .containsExactly("opened", "added {\"a\":1}", "failed EXPIRED");
    }

    private static final String FOREIGN = ": the body is not a Status of an API server";

    record Refusal(
        int status, String retryAfter, String body, Reason reason, String message, int waits) {}

    static Stream<Refusal> refusals() {
      String status = "{\"kind\":\"Status\",\"metadata\":{},\"message\":\"%s\",\"code\":1}";
      return Stream.of(
          new Refusal(401, "", status.formatted("who?"), Reason.UNAUTHORIZED, ": who?", 0),
          new Refusal(403, "", status.formatted("no"), Reason.FORBIDDEN, ": no", 0),
          new Refusal(
              404, "", "404 page not found", Reason.UNKNOWN_TYPE, ": 404 page not found", 0),
          new Refusal(410, "", status.formatted("too old"), Reason.EXPIRED, ": too old", 0),
          new Refusal(410, "", "", Reason.EXPIRED, "", 0),
          new Refusal(429, "7", status.formatted("slow"), Reason.THROTTLED, ": slow", 7),
          new Refusal(503, "3", "", Reason.THROTTLED, "", 3),
          new Refusal(500, "", "x".repeat(1_000_000), Reason.SERVER_ERROR, FOREIGN, 0),
          new Refusal(400, "", "", Reason.INVALID, "", 0));
    }

    /**
     * One failure with the server's message, for lists and for watches; no retries
     * (docs/reliability.md, A11, A12).
     */
    @ParameterizedTest
    @MethodSource("refusals")
    void saysWhyTheServerRefuses(Refusal c) throws Exception {
      String[] fields =
          c.retryAfter().isEmpty()
              ? new String[0]
              : new String[] {"Retry-After: " + c.retryAfter()};
      scripted.play(connection -> connection.whole(c.status(), c.body(), fields));
      FeedFailure expected =
          new FeedFailure(
              c.reason(), "HTTP " + c.status() + c.message(), Duration.ofSeconds(c.waits()));
      assertThat(failure(list())).isEqualTo(expected);
      assertThat(failure(watch())).isEqualTo(expected);
      assertThat(scripted.requests()).hasSize(2);
    }

    record Wish(String field, Duration understood) {
      static Wish of(String value, long seconds) {
        return new Wish("Retry-After: " + value, Duration.ofSeconds(seconds));
      }
    }

    static Stream<Wish> wishes() {
      return Stream.of(
          Wish.of("7", 7),
          Wish.of("1000000000", 1_000_000_000),
          Wish.of("9".repeat(30), 0),
          Wish.of("Sat, 21 Nov 2026 10:00:07 GMT", 7),
          Wish.of("Sat, 21 Nov 2026 09:00:00 GMT", 0),
          Wish.of("Fri, 31 Dec 9999 23:59:59 GMT", 251_607_045_599L),
          Wish.of("-5", 0),
          Wish.of("soon", 0));
    }

    /** In seconds, as a date (compared with the server's own), absurd, and nonsense. */
    @ParameterizedTest
    @MethodSource("wishes")
    void saysHowLongTheServerWantsToBeLeftAlone(Wish c) throws Exception {
      scripted.play(
          connection ->
              connection.whole(429, "{}", "Date: Sat, 21 Nov 2026 10:00:00 GMT", c.field()));
      assertThat(failure(watch()))
          .isEqualTo(new FeedFailure(Reason.THROTTLED, "HTTP 429", c.understood()));
      assertThat(failure(list()).retryAfter()).isEqualTo(c.understood());
      assertThat(scripted.requests()).as("no retries but ours").hasSize(2);
    }

    /**
     * Whatever the load balancer sends, it is not a list, not an event, and not logged at length.
     */
    @Test
    void takesPagesOfABalancerAsFailures() throws Exception {
      String page = "<html>\r\nbad\u001b[31m gateway</html>\n" + "x".repeat(100_000);
      for (int status : new int[] {500, 502, 503, 504}) {
        scripted.play(c -> c.whole(status, page, "Content-Type: text/html"));
        FeedFailure expected = FeedFailure.ofStatus(status, FOREIGN.substring(2), Duration.ZERO);
        assertThat(failure(list())).isEqualTo(expected);
        assertThat(failure(watch())).isEqualTo(expected);
      }
      scripted.play(c -> c.whole(200, page, "Content-Type: text/html"));
      assertThat(failure(list()).reason()).isEqualTo(Reason.MALFORMED);
      assertThat(failure(watch()).reason()).isEqualTo(Reason.MALFORMED);
    }

    /** A redirect away from the API server is not followed. */
    @Test
    void takesARedirectAsAFailure() throws Exception {
      scripted.play(c -> c.whole(302, "", "Location: " + scripted.url() + "/login"));
      assertThat(failure(list()).reason()).isIn(Reason.OTHER, Reason.UNREACHABLE, Reason.MALFORMED);
    }
  }

  @Nested
  final class OnBrokenConnections {

    /** Complete events have been delivered; the partial one before the reset never is. */
    @Test
    void saysThatTheConnectionWasResetInTheMiddleOfAFrame() throws Exception {
      CountDownLatch read = new CountDownLatch(1);
      scripted.play(
          c -> {
            c.stream();
            c.chunk(line("ADDED", "{\"a\":1}") + "{\"type\":\"ADDED\",\"obj");
            read.await();
            c.reset();
          });
      FeedStream stream = watch();
      assertThat(shown(stream)).isEqualTo("opened");
      assertThat(shown(stream)).isEqualTo("added {\"a\":1}");
      read.countDown();
      assertThat(all(stream)).containsExactly("failed UNREACHABLE");
    }

    /** A list truncated by length or by chunks is not a list. */
    @Test
    void takesHalfAListAsAFailure() throws Exception {
      scripted.play(
          c -> {
            c.answer(200, "Content-Length: 1000");
            c.raw("{\"items\":[{\"a\":1},{\"a\":");
          });
      assertThat(failure(list()).reason()).isEqualTo(Reason.UNREACHABLE);
      scripted.play(
          c -> {
            c.stream();
            c.chunk("{\"items\":[{\"a\":1}],\"metadata\":{\"resourceVersion\":\"9\"}}");
          });
      assertThat(failure(list()).reason()).as("no last chunk").isEqualTo(Reason.UNREACHABLE);
      scripted.play(
          c -> {
            c.stream("Content-Encoding: gzip");
            byte[] packed = gzip("{\"items\":[],\"metadata\":{\"resourceVersion\":\"9\"}}");
            c.chunk(Arrays.copyOf(packed, packed.length - 12));
            c.endOfChunks();
          });
      assertThat(failure(list()).reason()).isEqualTo(Reason.MALFORMED);
    }

    /** The server closes the connection before it sends anything. */
    @Test
    void saysThatTheServerHungUp() throws Exception {
      scripted.play(ScriptedServer.Connection::reset);
      assertThat(failure(watch()).reason()).isEqualTo(Reason.UNREACHABLE);
      assertThat(failure(list()).reason()).isEqualTo(Reason.UNREACHABLE);
    }

    /** The failure is immediate and occurs once; the reflector's back-off is the only one. */
    @Test
    void saysThatNobodyListens() throws Exception {
      ScriptedServer gone = new ScriptedServer();
      gone.close();
      try (KubernetesClient alone = clientOf(gone.url())) {
        FeedStream stream =
            opened(
                new HttpListerWatcher(alone, CONFIG_MAPS, WatchScope.ALL)
                    .list(LIST, wakeUps::release));
        assertThat(all(stream)).containsExactly("failed CONNECTION_REFUSED");
      }
    }

    /**
     * A server that hangs accepts connections and then says nothing: that is no fault of our
     * certificates.
     */
    @Test
    void saysThatAServerWhichHangsInTheHandshakeDoesNotAnswer() throws Exception {
      assumeFalse(
          factory instanceof OkHttpClientFactory,
          "OkHttp has no limit for handshakes, so the reflector's time-out applies");
      try (ServerSocket hung = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
          KubernetesClient alone =
              clientOf("https://127.0.0.1:" + hung.getLocalPort() + "/", 500)) {
        FeedStream stream =
            opened(
                new HttpListerWatcher(alone, CONFIG_MAPS, WatchScope.ALL)
                    .list(LIST, wakeUps::release));
        assertThat(wakeUps.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
        assertThat(failure(stream).reason()).isEqualTo(Reason.UNREACHABLE);
      }
    }

    @Test
    void saysThatTheClientWasClosed() throws Exception {
      KubernetesClient other = clientOf(scripted.url());
      ListerWatcher source = new HttpListerWatcher(other, CONFIG_MAPS, WatchScope.ALL);
      other.close();
      scripted.play(c -> c.whole(500, ""));
      assertThat(all(opened(source.list(LIST, wakeUps::release))))
          .singleElement()
          .asString()
          .startsWith("failed ");
    }
  }

  @Nested
  final class OnClose {

    /** An answer that has ended has given its connection back, maybe to somebody else. */
    @Test
    void leavesTheConnectionOfAnUnreadAnswerToWhoHasItNow() throws Exception {
      CountDownLatch closed = new CountDownLatch(1);
      scripted.play(
          c -> {
            String empty = "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[]}";
            c.raw("HTTP/1.1 200 OK\r\nContent-Length: " + empty.length() + "\r\n\r\n" + empty);
            assertThat(c.readHead()).as("on the same connection").contains("watch=true");
            c.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            closed.await();
            c.chunk(line("ADDED", "{\"a\":1}"));
            c.awaitEnd();
          });
      FeedStream unread = list();
      assertThat(wakeUps.tryAcquire(LIMIT, TimeUnit.SECONDS)).as("it has answered").isTrue();
      assertThat(closed.await(200, TimeUnit.MILLISECONDS)).as("to its end").isFalse();
      FeedStream watch = watch();
      assertThat(shown(watch)).isEqualTo("opened");

      unread.close();
      closed.countDown();

      assertThat(shown(watch)).isEqualTo("added {\"a\":1}");
    }

    private static final int LINE = 100_000;

    private final AtomicLong sent = new AtomicLong();

    /** Sends events until the connection is gone, and counts the bytes. */
    private ScriptedServer.Script endless(CountDownLatch gone) {
      byte[] line = utf8(line("ADDED", "{\"a\":\"" + "x".repeat(LINE) + "\"}"));
      return c -> {
        try {
          c.stream();
          while (sent.get() < 500_000_000L) { // a failure must not take the machine with it
            c.chunk(line);
            sent.addAndGet(line.length);
          }
        } catch (IOException e) {
          gone.countDown();
        }
      };
    }

    /** Waits until the server is stuck: nothing has left it for a while. */
    private void awaitStall(CountDownLatch gone) throws InterruptedException {
      long before;
      do {
        before = sent.get();
        assertThat(gone.await(200, TimeUnit.MILLISECONDS)).isFalse();
      } while (sent.get() != before && before < 100_000_000L);
    }

    /** A reader that does not poll slows the server down without losing data. */
    @Test
    void takesNoMoreThanIsPolledAndClosesTheConnection() throws Exception {
      CountDownLatch gone = new CountDownLatch(1);
      scripted.play(endless(gone));
      FeedStream stream = watch();
      assertThat(shown(stream)).isEqualTo("opened");
      awaitStall(gone);
      long stalled = sent.get();
      assertThat(stalled).as("bounded by the buffers between").isLessThan(40_000_000L);
      for (long read = 0; read < stalled + 5_000_000L; read += LINE) {
        assertThat(next(stream).type()).isEqualTo(FeedEvent.Type.ADDED);
      }
      assertThat(sent.get()).as("it went on").isGreaterThan(stalled);
      awaitStall(gone);
      stream.close();
      await(gone, "the server noticed the close");
      assertThat(stream.poll()).isEmpty();
    }

    /** A stream that is closed while it flows, by a reader that keeps up. */
    @Test
    void closesTheConnectionWhileDataFlows() throws Exception {
      assumeTrue(closesWhileItReads);
      CountDownLatch gone = new CountDownLatch(1);
      scripted.play(endless(gone));
      FeedStream stream = watch();
      for (int i = 0; i < 50; i++) {
        next(stream);
      }
      stream.close();
      await(gone, "the server noticed the close");
      assertThat(stream.poll()).isEmpty();
    }

    /** Closed while nothing flows: an idle watch must not stay behind on the server. */
    @Test
    void closesTheConnectionOfAnIdleWatch() throws Exception {
      CountDownLatch gone = new CountDownLatch(1);
      scripted.play(
          c -> {
            c.stream();
            c.chunk(line("ADDED", "{\"a\":1}"));
            c.awaitEnd();
            gone.countDown();
          });
      FeedStream stream = watch();
      next(stream);
      next(stream);
      assertThat(stream.poll()).isEmpty();
      stream.close();
      await(gone, "the server noticed the close");
    }

    /** Closed before the server answers: it takes nothing of the answer. */
    @Test
    void closesTheConnectionThoughTheAnswerComesAfterTheClose() throws Exception {
      CountDownLatch closed = new CountDownLatch(1);
      CountDownLatch gone = new CountDownLatch(1);
      ScriptedServer.Script endless = endless(gone);
      scripted.play(
          c -> {
            closed.await();
            endless.play(c);
          });
      FeedStream stream = watch();
      assertThat(scripted.requests().poll(LIMIT, TimeUnit.SECONDS)).isNotNull();
      stream.close();
      closed.countDown();
      await(gone, "the server noticed the close");
      assertThat(stream.poll()).isEmpty();
    }

    /** The race between headers and close, many times: no connection survives. */
    @Test
    void closesTheConnectionWhateverTheMoment() throws Exception {
      assumeTrue(closesWhileItReads);
      int times = 50;
      CountDownLatch gone = new CountDownLatch(times);
      scripted.play(endless(gone));
      for (int i = 0; i < times; i++) {
        FeedStream stream = watch();
        assertThat(scripted.requests().poll(LIMIT, TimeUnit.SECONDS)).isNotNull();
        for (int spin = 0; spin < i * 20; spin++) {
          Thread.onSpinWait();
        }
        stream.poll();
        stream.close();
      }
      await(gone, "the server noticed all closes");
    }
  }

  @BeforeAll
  void knowsItsTransport() {
    Class<?> tested = factory.getClass();
    while (tested.getPackage() == getClass().getPackage()) { // a subclass with settings for tests
      tested = tested.getSuperclass();
    }
    assertThat(client.getHttpClient().getClass().getPackage()).isEqualTo(tested.getPackage());
  }
}
