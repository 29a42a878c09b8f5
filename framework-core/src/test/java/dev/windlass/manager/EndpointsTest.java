// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.health.HealthCheck;
import dev.windlass.health.HealthSource;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import dev.windlass.testing.core.Scraped;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import dev.windlass.testsupport.TestKey;
import io.fabric8.kubernetes.client.Config;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class EndpointsTest {

  private final ManualScheduler time = new ManualScheduler();
  private final FakeListerWatcher server = new FakeListerWatcher();
  private final HttpClient client = HttpClient.newHttpClient();
  private volatile String dead = "none";
  private Manager manager = settings().build();

  private ManagerBuilder settings() {
    return Manager.builder()
        .config(Config.empty())
        .clock(time.clock())
        .informerOptions(
            InformerOptions.defaults().withScheduler(time).withThreads(task -> new Mortal(task)))
        .connector(client -> (type, scope) -> server)
        .healthProbeBindAddress("127.0.0.1:0")
        .metricsBindAddress("127.0.0.1:0")
        .metricsText(() -> "up 1\n");
  }

  /** Does nothing if it has the name of the one that is to be dead. */
  private final class Mortal extends Thread {
    Mortal(Runnable task) {
      super(task);
    }

    @Override
    public void run() {
      if (!getName().endsWith(dead)) {
        super.run();
      }
    }
  }

  @AfterEach
  void stop() {
    manager.stop();
    assertThat(manager.endpoints().probePort()).isEmpty();
    server.assertNothingOpen();
  }

  private HttpResponse<String> get(int port, String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private String probe(String path) throws Exception {
    HttpResponse<String> answer = get(manager.endpoints().probePort().orElseThrow(), path);
    return answer.statusCode() + " " + answer.body();
  }

  private void awaitReady() {
    Eventually.that(
        () -> {
          time.advance(Duration.ofMillis(100)); // an outcome answers for as long
          assertThat(probe("/readyz?verbose")).startsWith("200 ");
        });
  }

  private void controller() {
    ControllerBuilder.forType(Foo.class)
        .reconciler((request, context) -> Result.done())
        .register(manager);
  }

  /** An operator that takes long to start is not ready, and one that stops must not look dead. */
  @Test
  void answerFromTheStartUntilEverythingElseHasEnded() {
    List<String> answers = new CopyOnWriteArrayList<>();
    manager.add(
        new ManagedComponent() {
          @Override
          public void start() {
            probes();
          }

          @Override
          public boolean stop(Duration limit) {
            probes();
            return true;
          }

          private void probes() {
            try {
              answers.add(probe("/livez").substring(0, 3));
              answers.add(probe("/readyz").substring(0, 3));
            } catch (Exception e) {
              answers.add(e.toString());
            }
          }

          @Override
          public Phase phase() {
            return Phase.WEBHOOKS; // ends after the caches
          }
        });
    manager.start();
    awaitReady();
    manager.stop();
    assertThat(answers).containsExactly("200", "500", "200", "200");
  }

  @Test
  void areOffUnlessTheyAreSwitchedOn() {
    manager = Manager.builder().config(Config.empty()).build();
    manager.start();
    assertThat(manager.endpoints().probePort()).isEmpty();
    assertThat(manager.endpoints().metricsPort()).isEmpty();
    assertThatThrownBy(() -> settings().healthProbeBindAddress("8081").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'8081' is not an address to listen on");
  }

  @Test
  void areReadyWhenSourcesAndCachesHaveSynced() throws Exception {
    server.put(Samples.json("Foo", "a"));
    controller();
    try (Logs logs = Logs.of(Manager.class)) {
      manager.start();
      assertThat(logs.lines())
          .filteredOn(
              line -> line.startsWith("INFO The manager has started. It runs controller foo"))
          .singleElement()
          .asString()
          .endsWith(
              " controller foo of foos.samplecontroller.k8s.io; it elects no leader; it serves"
                  + " /healthz, /livez and /readyz on 127.0.0.1:"
                  + manager.endpoints().probePort().orElseThrow()
                  + "; /metrics and /debug/windlass on 127.0.0.1:"
                  + manager.endpoints().metricsPort().orElseThrow());
    }
    awaitReady();
    assertThat(probe("/readyz?verbose"))
        .isEqualTo(
            """
            200 [+]caches ok
            [+]controller-foo ok
            [+]leader-election ok
            [+]ping ok
            readyz check passed
            """);
    assertThat(probe("/livez?verbose"))
        .isEqualTo(
            """
            200 [+]alarms ok
            [+]caches ok
            [+]controller-foo ok
            [+]endpoints ok
            [+]events ok
            [+]leader-election ok
            [+]manager ok
            [+]permissions ok
            [+]ping ok
            livez check passed
            """);
    assertThat(probe("/healthz")).isEqualTo("200 ok\n");
    assertThat(probe("/healthz/alarms")).isEqualTo("200 ok\n");
  }

  /** For a framework with probes of its own, which asks from the beginning to the end. */
  @Test
  void tellWhatIsTrueBeforeTheStartAndAfterTheStop() throws Exception {
    assertThat(manager.endpoints().check(HealthCheck.Kind.READY))
        .containsEntry("caches", Optional.of("the manager has not been started"));
    assertThat(manager.endpoints().check(HealthCheck.Kind.LIVE).values())
        .as("a restart would not help")
        .allMatch(Optional::isEmpty);
    manager.start();
    time.advance(Duration.ofMillis(100));
    assertThat(manager.endpoints().check(HealthCheck.Kind.READY).values())
        .allMatch(Optional::isEmpty);
    manager.stop();
    assertThat(manager.endpoints().check(HealthCheck.Kind.READY).values())
        .containsOnly(Optional.of("it was not run: health checks have been stopped"));
  }

  @Test
  @SuppressWarnings("NullAway")
  void refuseToCheckNothing() {
    assertThatThrownBy(() -> manager.endpoints().check(null))
        .hasMessage(
            "check(...) was given null: pass HealthCheck.Kind.LIVE or HealthCheck.Kind.READY");
  }

  @Test
  void areNotReadyBeforeACacheHasSynced() throws Exception {
    dead = "-reflector";
    manager.cache(Foo.class);
    manager.start();
    Eventually.that(
        () -> {
          time.advance(Duration.ofMillis(100)); // a check runs at most once within this time
          assertThat(probe("/readyz?verbose"))
              .contains("[-]caches failed: foos.samplecontroller.k8s.io (not synced)");
        });
    assertThat(probe("/readyz?exclude=caches")).isEqualTo("200 ok\n");
  }

  @Test
  void askTheChecksOfTheProgram() throws Exception {
    manager.addHealthCheck("disk", () -> {});
    manager.start();
    manager.addReadyCheck("database", () -> raise(new IllegalStateException("down")));
    assertThat(probe("/livez/disk")).isEqualTo("200 ok\n");
    assertThat(probe("/readyz/database?verbose"))
        .isEqualTo("500 internal server error: IllegalStateException: down\n");
  }

  @Test
  void forgetTheCheckOfAControllerThatIsRemoved() throws Exception {
    Manager own = manager;
    dev.windlass.controller.Controller controller =
        ControllerBuilder.forType(Foo.class)
            .reconciler((request, context) -> Result.done())
            .register(own);
    own.start();
    awaitReady();
    assertThat(probe("/livez/controller-foo")).isEqualTo("200 ok\n");
    own.remove(controller);
    assertThat(probe("/livez/controller-foo")).startsWith("404 ");
  }

  /** A part whose stop takes as long as the test says. */
  private static final class Checked implements ManagedComponent, HealthSource {
    private final String state;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    Checked(String state) {
      this.state = state;
    }

    @Override
    public Phase phase() {
      return Phase.ALWAYS;
    }

    @Override
    public void start() {}

    @Override
    public boolean stop(Duration limit) throws InterruptedException {
      stopping.countDown();
      released.await();
      return true;
    }

    @Override
    public String checkName() {
      return "part";
    }

    @Override
    public Optional<String> liveness(Duration wedgedAfter) {
      return Optional.of(state);
    }

    @Override
    public Optional<String> readiness() {
      return Optional.empty();
    }
  }

  @Test
  void askTheNewPartWhileTheOldOneOfItsNameStops() throws Exception {
    manager.start();
    Checked old = new Checked("old");
    Checked next = new Checked("next");
    manager.add("part", old);
    assertThat(probe("/livez/part?verbose")).contains("old");
    CompletableFuture<Boolean> removed =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return manager.remove(old);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    old.stopping.await();
    assertThat(probe("/livez/part")).startsWith("404 ");
    manager.add("part", next);
    assertThat(probe("/livez/part?verbose")).contains("next");
    old.released.countDown();
    assertThat(removed.get()).isTrue();
    assertThat(probe("/livez/part?verbose")).contains("next");
    next.released.countDown();
  }

  @Test
  void showMetricsAndDiagnosis() throws Exception {
    controller();
    manager.start();
    awaitReady();
    int port = manager.endpoints().metricsPort().orElseThrow();
    HttpResponse<String> metrics = get(port, "/metrics");
    assertThat(metrics.body()).isEqualTo("up 1\n");
    assertThat(metrics.headers().firstValue("Content-Type"))
        .contains("text/plain; version=0.0.4; charset=utf-8");
    assertThat(get(port, "/debug/windlass").body())
        .contains("\"controllers\": [", "\"name\": \"foo\"", "\"lastList\": \"START\"");
    assertThat(manager.diagnosis().caches().get(0).synced()).isTrue();
    assertThat(manager.diagnosis().controllers().get(0).name()).isEqualTo("foo");
  }

  @Test
  void showNeitherAddressesNorTokensOfAFailingCacheInTheDiagnosis() throws Exception {
    server.failNextList(
        FeedFailure.of(
            FeedFailure.Reason.UNREACHABLE,
            "GET https://10.1.2.3:6443/apis with Bearer s3cret: refused by 10.1.2.3"));
    manager.cache(Foo.class);
    manager.start();
    Eventually.that(() -> assertThat(manager.diagnosis().caches().get(0).problem()).isPresent());
    String shown = get(manager.endpoints().metricsPort().orElseThrow(), "/debug/windlass").body();
    assertThat(shown).contains("refused by <address>").doesNotContain("10.1.2.3", "s3cret");
  }

  /** A sidecar connects over loopback for callers from anywhere: only the address counts. */
  @Test
  void showTheDiagnosisOnLoopbackAddressesOnlyUnlessCallersAreAuthenticated() throws Exception {
    manager.stop();
    manager = settings().metricsBindAddress(":0").build();
    manager.start();
    int port = manager.endpoints().metricsPort().orElseThrow();
    HttpResponse<String> hidden = get(port, "/debug/windlass");
    assertThat(hidden.statusCode()).isEqualTo(403);
    int forwarded = manager.endpoints().diagnosisPort().orElseThrow();
    assertThat(hidden.body()).contains("authentication", "port-forward", "127.0.0.1:" + forwarded);
    assertThat(get(port, "/metrics").statusCode()).isEqualTo(200);
    assertThat(get(forwarded, "/debug/windlass").body()).contains("\"controllers\": [");
    assertThat(get(forwarded, "/metrics").statusCode()).isEqualTo(404);
  }

  @Test
  void goOnWithoutTheDiagnosisIfItsPortIsTaken() throws Exception {
    manager.stop();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        Logs logs = Logs.of(Manager.class)) {
      manager = settings().metricsBindAddress(":" + (taken.getLocalPort() - 2)).build();
      manager.start();
      assertThat(manager.endpoints().diagnosisPort()).isEmpty();
      assertThat(logs.lines())
          .filteredOn(line -> line.startsWith("WARN "))
          .singleElement()
          .asString()
          .contains("Failed to serve the diagnosis", ":" + taken.getLocalPort());
    }
  }

  private double metric(String name) {
    return Scraped.value(manager.meterRegistry(), name);
  }

  @Test
  void countHowOftenTheirCertificateIsReadAndHowOftenInVain(@TempDir Path folder) throws Exception {
    manager.stop();
    TestKey pair = TestKey.ec("metrics");
    Path certificate = Files.writeString(folder.resolve("tls.crt"), pair.certificate());
    Path key = Files.writeString(folder.resolve("tls.key"), pair.pkcs8());
    manager = settings().metricsTls(certificate, key).build();
    manager.start();
    assertThat(metric("certwatcher_read_certificate_total")).isPositive();
    assertThat(metric("certwatcher_read_certificate_errors_total")).isZero();
    Files.writeString(key, "no key");
    Eventually.that(
        time,
        Duration.ofSeconds(10),
        () -> assertThat(metric("certwatcher_read_certificate_errors_total")).isPositive());
    assertThat(metric("certwatcher_read_certificate_total"))
        .isGreaterThan(metric("certwatcher_read_certificate_errors_total"));
  }

  @Test
  void requireATokenForMetricsIfConfigured() throws Exception {
    manager.stop();
    manager = settings().metricsAuthentication(true).build();
    manager.start();
    int port = manager.endpoints().metricsPort().orElseThrow();
    assertThat(get(port, "/metrics").statusCode()).isEqualTo(401);
    assertThat(get(port, "/debug/windlass").statusCode()).isEqualTo(401);
    assertThat(probe("/livez")).as("the kubelet has no token").isEqualTo("200 ok\n");
  }
}
