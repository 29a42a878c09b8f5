// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static dev.windlass.testsupport.Patience.eventually;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.CachedClient;
import dev.windlass.client.pipeline.PipelineClients;
import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.leader.Fence;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.LeadershipLostException;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.object.ObjectKey;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tls.RenewedCredentials;
import dev.windlass.transport.SocketTransport;
import dev.windlass.workqueue.Priority;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens to a request, by the door at which it enters and on each transport. */
@Timeout(60)
final class PipelineContractTest {

  private static final ObjectKey KEY = ObjectKey.of("default", "a");
  private static final String WRITTEN =
      """
      {"kind":"ConfigMap","apiVersion":"v1",
       "metadata":{"namespace":"default","name":"a","uid":"u","resourceVersion":"2"}}""";

  /** What fabric8 asks for before an exec. */
  private static final String POD =
      """
      {"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"default","name":"a"},
       "spec":{"containers":[{"name":"c"}]},
       "status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}""";

  private static final String ABSENT =
      """
      {"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,
       "message":"configmaps \\"a\\" not found","details":{"kind":"configmaps","name":"a"}}""";

  /** A list that is empty, of which the server sends no change. */
  private static final String NOTHING =
      """
      {"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":\
      {"resourceVersion":"1","annotations":{"k8s.io/initial-events-end":"true"}}}}
      """;

  private final ScriptedServer server = new ScriptedServer();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Term term = new Term();
  private final Plugin plugin = new Plugin();

  /** The method and the credentials of each write and each exec that has arrived. */
  private final List<String> arrived = new CopyOnWriteArrayList<>();

  /** The path and the impersonated user of each request. */
  private final Set<String> users = ConcurrentHashMap.newKeySet();

  private volatile String accepted = "Bearer first";
  private volatile int answer = 201;

  /** What the server waits for before it answers a write. */
  private volatile CountDownLatch held = new CountDownLatch(0);

  /** How a request enters. */
  enum Door {
    CLIENT {
      @Override
      void write(Manager manager, WriterContext writer) {
        CachedClient.bound(manager.client(), writer).create(Samples.map("default", "a"));
      }

      @Override
      void delete(Manager manager, WriterContext writer) {
        CachedClient.bound(manager.client(), writer).delete(ConfigMap.class, KEY);
      }
    },
    RAW {
      @Override
      void write(Manager manager, WriterContext writer) {
        writer.run(() -> create(manager.kubernetesClient()));
      }
    },
    RAW_DERIVED {
      @Override
      void write(Manager manager, WriterContext writer) {
        KubernetesClient raw = manager.kubernetesClient();
        var retries =
            new RequestConfigBuilder(raw.getConfiguration().getRequestConfig())
                .withRequestRetryBackoffLimit(2)
                .withRequestRetryBackoffInterval(1)
                .build();
        writer.run(() -> create(raw.newClient(retries).adapt(KubernetesClient.class)));
      }
    },
    WEB_SOCKET {
      @Override
      void write(Manager manager, WriterContext writer) {
        writer.run(() -> exec(manager.kubernetesClient()).close());
      }
    };

    abstract void write(Manager manager, WriterContext writer);

    void delete(Manager manager, WriterContext writer) {
      writer.run(() -> manager.kubernetesClient().resource(Samples.map("default", "a")).delete());
    }
  }

  private static void create(KubernetesClient client) {
    client.resource(Samples.map("default", "a")).create();
  }

  private static ExecWatch exec(KubernetesClient client) {
    return client
        .pods()
        .inNamespace("default")
        .withName("a")
        .withReadyWaitTimeout(0)
        .redirectingOutput()
        .exec("ls");
  }

  /** A term that ends when the test says so. */
  private static final class Term implements Fence {
    private volatile boolean over;
    private volatile Runnable cut = () -> {};

    @Override
    public boolean holds() {
      return !over;
    }

    @Override
    public Duration check() {
      if (over) {
        throw new LeadershipLostException("the term is over");
      }
      return Duration.ofSeconds(20);
    }

    @Override
    public Action pass(Runnable otherCut) {
      cut = otherCut;
      return () -> cut = () -> {};
    }

    void end() {
      over = true;
      cut.run();
    }
  }

  /** Credentials of which the second are right, and which can take long. */
  private static final class Plugin implements RenewedCredentials {
    private volatile String token = "first";
    private volatile Runnable whileItRuns = () -> {};
    private volatile Runnable beforeEachAttempt = () -> {};

    @Override
    public String getToken() {
      beforeEachAttempt.run();
      return token;
    }

    @Override
    public Optional<ClientCertificate> certificate() {
      return Optional.empty();
    }

    @Override
    public Optional<String> refused(String rejected) {
      whileItRuns.run();
      token = "second";
      return Optional.of(token);
    }
  }

  record Way(String name, HttpClient.Factory transport, Door door) {
    @Override
    public String toString() {
      return door + " on " + name;
    }
  }

  static Stream<Way> ways() {
    return Stream.of(Door.values())
        .flatMap(
            door ->
                Stream.of(
                    new Way("our transport", new SocketTransport(), door),
                    new Way("Vert.x", new VertxHttpClientFactory(), door),
                    new Way("the JDK's client", new JdkHttpClientFactory(), door),
                    new Way("OkHttp", new OkHttpClientFactory(), door)));
  }

  static Stream<Way> waysOfWrites() {
    return ways().filter(way -> way.door() != Door.WEB_SOCKET);
  }

  static Stream<Way> waysOfSockets() {
    return ways().filter(way -> way.door() == Door.WEB_SOCKET);
  }

  PipelineContractTest() {
    server.play(this::serve);
  }

  private void serve(ScriptedServer.Connection connection)
      throws IOException, InterruptedException {
    connection.readBody();
    String line = connection.head().lines().findFirst().orElse("");
    boolean exec = line.contains("/exec?");
    users.add(line.split("[ ?]")[1] + " as " + connection.header("Impersonate-User"));
    if (line.startsWith("GET") && !exec) {
      if (line.contains("watch=true")) {
        connection.stream("Content-Type: application/json");
        connection.chunk(NOTHING);
        connection.awaitEnd();
      }
      boolean pod = line.contains("/pods/a ");
      connection.whole(pod ? 200 : 404, pod ? POD : ABSENT);
      return;
    }
    String token = connection.header("Authorization");
    arrived.add(
        line.substring(0, line.indexOf(' '))
            + " "
            + token
            + " as "
            + connection.header("Impersonate-User"));
    if (!token.equals(accepted)) {
      connection.whole(401, "{\"kind\":\"Status\",\"code\":401}");
    } else if (exec) {
      connection.raw(
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
              + "Sec-WebSocket-Protocol: v4.channel.k8s.io\r\nSec-WebSocket-Accept: "
              + proof(connection.header("Sec-WebSocket-Key"))
              + "\r\n\r\n");
      connection.awaitEnd();
    } else {
      held.await();
      connection.whole(
          line.startsWith("DELETE") ? 200 : answer, WRITTEN, "Content-Type: application/json");
    }
  }

  /** Shows that the server has understood the handshake (RFC 6455). */
  private static String proof(String key) {
    try {
      String text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
      return Base64.getEncoder()
          .encodeToString(MessageDigest.getInstance("SHA-1").digest(text.getBytes(US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void stops() {
    server.close();
  }

  private Manager manager(Way way) {
    return settings(way).checkPermissions(false).build();
  }

  private ManagerBuilder settings(Way way) {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(server.url() + "/")
            .withOauthTokenProvider(plugin)
            .withImpersonateUsername("jane")
            .build();
    return Manager.builder()
        .config(config)
        .transport(way.transport())
        .meterRegistry(meters)
        .healthProbeBindAddress("0")
        .metricsBindAddress("0");
  }

  private void write(Way way) {
    try (Manager manager = manager(way)) {
      way.door().write(manager, new WriterContext("foo", term));
    }
  }

  private double counted(String method, int code) {
    return meters
        .find("rest_client_requests_total")
        .tags("method", method, "code", Integer.toString(code))
        .counters()
        .stream()
        .mapToDouble(Counter::count)
        .sum();
  }

  private static String method(Way way) {
    return way.door() == Door.WEB_SOCKET ? "GET" : "POST";
  }

  /** The same person acts in all requests: a kubeconfig may say {@code as}. */
  @ParameterizedTest
  @MethodSource("ways")
  void hasTheCredentialsAndIsCounted(Way way) {
    try (Manager manager = manager(way)) {
      way.door().write(manager, new WriterContext("foo", term));
      assertThat(arrived).containsExactly(method(way) + " Bearer first as jane");
      int code = way.door() == Door.WEB_SOCKET ? 101 : 201;
      eventually().until(() -> counted(method(way), code) == 1);
    }
  }

  static Stream<Way> transports() {
    return ways().filter(way -> way.door() == Door.CLIENT);
  }

  /** Not only for writes, but also for lists, watches, elections and reviews. */
  @ParameterizedTest
  @MethodSource("transports")
  void isOfTheSamePersonWhoeverSendsIt(Way way) {
    try (Manager manager =
        settings(way)
            .leaderElection(LeaderElectionOptions.of("lease").withNamespace("default"))
            .build()) {
      manager.cache(ConfigMap.class);
      manager.start();
      eventually()
          .untilAsserted(
              () ->
                  assertThat(users)
                      .anyMatch(request -> request.startsWith("/api/v1/configmaps "))
                      .anyMatch(request -> request.contains("/leases"))
                      .anyMatch(request -> request.contains("/selfsubjectaccessreviews")));
    }
    assertThat(users).allMatch(request -> request.endsWith(" as jane"));
  }

  /** One manager can be given the client of another. */
  @ParameterizedTest
  @MethodSource("transports")
  void passesTwoPipelinesIfOneClientIsBuiltOnAnother(Way way) {
    try (Manager outer = manager(way);
        Manager inner = around(outer)) {
      accepted = "Bearer second";
      new WriterContext("foo", term).run(() -> create(inner.kubernetesClient()));
      assertThat(arrived)
          .containsExactly("POST Bearer first as jane", "POST Bearer second as jane");
      term.end();
      assertThatThrownBy(
              () -> new WriterContext("foo", term).run(() -> create(inner.kubernetesClient())))
          .hasStackTraceContaining("the term is over");
      assertThat(arrived).hasSize(2);
    }
  }

  private static Manager around(Manager outer) {
    return Manager.builder()
        .client(outer.replicaKubernetesClient())
        .checkPermissions(false)
        .healthProbeBindAddress("0")
        .metricsBindAddress("0")
        .build();
  }

  /** Credentials can take long, and only the first pipeline knows the fence. */
  @ParameterizedTest
  @MethodSource("transports")
  void isNotSentIfTheTermEndsBelowTheSecondPipeline(Way way) {
    try (Manager outer = manager(way);
        Manager inner = around(outer);
        KubernetesClient fenced =
            PipelineClients.fenced(inner.replicaKubernetesClient(), writer -> term)) {
      plugin.beforeEachAttempt = () -> term.over = true;
      assertThatThrownBy(() -> create(fenced)).hasStackTraceContaining("the term is over");
      assertThat(arrived).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void isNotSentBehindAClosedFence(Way way) {
    term.end();
    assertThatThrownBy(() -> write(way)).hasStackTraceContaining("the term is over");
    assertThat(arrived).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void beginsAgainWithOtherCredentialsAfter401(Way way) {
    accepted = "Bearer second";
    try (Manager manager = manager(way)) {
      way.door().write(manager, new WriterContext("foo", term));
      assertThat(arrived)
          .containsExactly(
              method(way) + " Bearer first as jane", method(way) + " Bearer second as jane");
      eventually().until(() -> counted(method(way), 401) == 1);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void isNotSentAgainAfterTheTerm(Way way) {
    accepted = "Bearer second";
    plugin.whileItRuns = term::end;
    assertThatThrownBy(() -> write(way)).hasStackTraceContaining("the term is over");
    assertThat(arrived).containsExactly(method(way) + " Bearer first as jane");
  }

  @ParameterizedTest
  @MethodSource("ways")
  void isSentTwiceAtMost(Way way) {
    accepted = "Bearer third";
    assertThatThrownBy(() -> write(way)).hasStackTraceContaining("401");
    assertThat(arrived).hasSize(2);
  }

  /** Also if the derived client is configured for retries, which would also repeat creations. */
  @ParameterizedTest
  @MethodSource("waysOfWrites")
  void isNotRetried(Way way) {
    answer = 503;
    assertThatThrownBy(() -> write(way)).hasStackTraceContaining("503");
    assertThat(arrived).hasSize(1);
  }

  /** The server sends no change, so only the response can have shown it. */
  @ParameterizedTest
  @MethodSource("waysOfWrites")
  void isReadFromTheCacheOnceItHasReturned(Way way) {
    try (Manager manager = manager(way)) {
      startWithCache(manager);
      assertThat(manager.client().get(ConfigMap.class, KEY)).isEmpty();
      server.requests().clear();
      way.door().write(manager, new WriterContext("foo", term));
      assertThat(manager.client().get(ConfigMap.class, KEY)).isPresent();
      assertThat(server.requests()).noneMatch(line -> line.startsWith("GET"));
    }
  }

  /** A reconcile that is interrupted leaves its write behind, and may go on. */
  @ParameterizedTest
  @MethodSource("waysOfWrites")
  void makesReadsAskTheServerWhileNobodyWaitsForItsResponse(Way way) throws Exception {
    held = new CountDownLatch(1);
    try (Manager manager = manager(way)) {
      startWithCache(manager);
      WriterContext writer = new WriterContext("foo", term);
      List<Boolean> asked = new CopyOnWriteArrayList<>();
      Thread reconcile =
          new Thread(
              () ->
                  writer.reconcile(
                      () -> {
                        assertThatThrownBy(() -> way.door().delete(manager, writer));
                        assertThat(Thread.interrupted()).isTrue();
                        asked.add(readAsksTheServer(manager));
                      }));
      reconcile.start();
      eventually().until(() -> arrived.size() == 1);
      assertThat(readAsksTheServer(manager)).as("while the writer waits").isFalse();
      writer.abandon();
      reconcile.interrupt();
      reconcile.join();
      assertThat(asked).containsExactly(true);
      held.countDown();
      eventually().until(() -> counted("DELETE", 200) == 1);
    }
  }

  /** For example, on a thread of its own. */
  @ParameterizedTest
  @MethodSource("waysOfWrites")
  void makesReadsAskTheServerIfTheReconcileHasEndedWithoutItsResponse(Way way) throws Exception {
    held = new CountDownLatch(1);
    try (Manager manager = manager(way)) {
      startWithCache(manager);
      WriterContext writer = new WriterContext("foo", term);
      Thread left = new Thread(() -> way.door().delete(manager, writer));
      writer.reconcile(
          () -> {
            left.start();
            eventually().until(() -> arrived.size() == 1);
          });
      assertThat(readAsksTheServer(manager)).isTrue();
      held.countDown();
      left.join();
    }
  }

  /** The time-out interrupts it, also if the reconciler catches that and goes on. */
  @ParameterizedTest
  @MethodSource("waysOfWrites")
  void makesReadsAskTheServerAfterTheTimeoutOfTheReconcile(Way way) {
    held = new CountDownLatch(1);
    List<Boolean> asked = new CopyOnWriteArrayList<>();
    try (Manager manager = manager(way)) {
      manager.cache(ConfigMap.class);
      ControllerBuilder.withoutType("foo")
          .watches(PipelineContractTest::once)
          .reconcileTimeout(Duration.ofMillis(200))
          .reconciler(
              (request, context) -> {
                WriterContext writer = WriterContext.current().orElseThrow();
                assertThatThrownBy(() -> way.door().delete(manager, writer));
                assertThat(Thread.interrupted()).isTrue();
                asked.add(readAsksTheServer(manager));
                return Result.done();
              })
          .register(manager);
      manager.start();
      eventually().untilAsserted(() -> assertThat(asked).containsExactly(true));
      held.countDown();
    }
  }

  private static Source.Running once(PrioritySink sink) {
    sink.add(Request.of(KEY.namespace(), KEY.name()), Priority.NORMAL);
    return new Source.Running() {
      @Override
      public boolean hasSynced() {
        return true;
      }

      @Override
      public void stop() {}
    };
  }

  private static void startWithCache(Manager manager) {
    var maps = manager.cache(ConfigMap.class);
    manager.start();
    eventually().until(maps::hasSynced);
  }

  private boolean readAsksTheServer(Manager manager) {
    server.requests().clear();
    assertThat(manager.client().get(ConfigMap.class, KEY)).isEmpty();
    return server.requests().stream().anyMatch(line -> line.startsWith("GET"));
  }

  @ParameterizedTest
  @MethodSource("waysOfSockets")
  void isCutWhenTheFenceCloses(Way way) throws Exception {
    try (Manager manager = manager(way)) {
      ExecWatch exec = new WriterContext("foo", term).call(() -> exec(manager.kubernetesClient()));
      term.end();
      assertThat(exec.exitCode())
          .failsWithin(Duration.ofSeconds(20))
          .withThrowableThat()
          .withStackTraceContaining("no longer leads");
    }
  }
}
