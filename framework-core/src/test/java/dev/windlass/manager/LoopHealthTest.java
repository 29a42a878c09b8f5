// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.leader.FakeLease;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Page;
import dev.windlass.testsupport.TestKey;
import io.fabric8.kubernetes.client.Config;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** If any loop stops, the health endpoint fails within 60 s and names the cause. */
@Timeout(60)
final class LoopHealthTest {

  private static final Duration PROBE = Duration.ofSeconds(5);
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String NONE = "none";

  @TempDir private Path folder;

  private final ManualScheduler time = new ManualScheduler();
  private final FakeListerWatcher server = new FakeListerWatcher();
  private final FakeLease lease = new FakeLease();
  private final HttpClient client = HttpClient.newHttpClient();
  private final CountDownLatch released = new CountDownLatch(1);
  private final Semaphore permits = new Semaphore(0);
  private final InformerOptions options =
      InformerOptions.defaults().withScheduler(time).withThreads(this::thread);

  private volatile String dead = NONE;
  private volatile String blocked = NONE;
  private @Nullable Manager manager;

  private Thread thread(Runnable task) {
    return new Mortal(task);
  }

  private void awaitRelease() {
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends at once, or does not get to its work, if it has the name of the one that is to. */
  private final class Mortal extends Thread {
    Mortal(Runnable task) {
      super(task);
    }

    @Override
    public void run() {
      if (getName().endsWith(blocked)) {
        awaitRelease();
      }
      if (!getName().endsWith(dead)) {
        super.run();
      }
    }
  }

  private ManagerBuilder settings() {
    return Manager.builder()
        .config(Config.empty())
        .clock(time.clock())
        .informerOptions(options)
        .connector(client -> (type, scope) -> server)
        .electors((client, election, at, news) -> lease.connect().elector(election, at, news))
        .healthProbeBindAddress("127.0.0.1:0")
        .metricsBindAddress("127.0.0.1:0")
        .metricsText(() -> "up 1\n");
  }

  /** With a controller, a channel, a ticker and a recorder, and what the loop belongs to. */
  private Manager start(String loop) throws Exception {
    ManagerBuilder settings = settings();
    if (loop.equals("metrics-certificate")) {
      TestKey key = TestKey.ec("metrics");
      settings.metricsTls(
          Files.writeString(folder.resolve("tls.crt"), key.certificate()),
          Files.writeString(folder.resolve("tls.key"), key.pkcs8()));
    } else if (loop.startsWith("leader-")) {
      settings.leaderElection(LeaderElectionOptions.of("lease").withNamespace("default"));
    }
    Manager built = settings.build();
    manager = built;
    built.eventRecorder("test").normal(Samples.foo("observed"), "Started", "its loop runs");
    ControllerBuilder.forType(Foo.class)
        .watches(Source.channel(Foo.class, options))
        .watches(Source.ticker(Duration.ofMinutes(1), List::of, options))
        .reconciler((request, context) -> Result.done())
        .register(built);
    built.start();
    return built;
  }

  @AfterEach
  void stop() {
    released.countDown();
    permits.release(1_000);
    Manager running = manager;
    if (running != null) {
      CompletableFuture<Boolean> stopped =
          CompletableFuture.supplyAsync(running::stop, task -> new Thread(task).start());
      Eventually.that(
          () -> {
            time.advance(Duration.ofMillis(100));
            assertThat(stopped).isDone();
          });
    }
    Eventually.that(server::assertNothingOpen); // in virtual time a stop outruns its threads
  }

  private static String probe(Manager running) {
    return Page.get(running.endpoints().probePort().orElseThrow(), "/livez?verbose").toString();
  }

  /** As a kubelet does, every 5 s, until the check is red for this cause. */
  private void awaitRed(Manager running, String check, String cause) {
    long begun = time.nanoTime();
    Eventually.that(
        () -> {
          String answer = probe(running);
          // In virtual time a check that merely takes its turn seems to take for ever.
          if (!answer.contains("has not returned for")) {
            Duration passed = Duration.ofNanos(time.nanoTime() - begun);
            assertThat(passed).as(answer).isLessThanOrEqualTo(LIMIT);
            if (!answer.contains("[-]" + check + " failed: ")) {
              time.advance(PROBE);
            }
          }
          assertThat(answer).startsWith("500 ");
          assertThat(answer.lines())
              .filteredOn(line -> line.startsWith("[-]" + check + " failed: "))
              .singleElement()
              .asString()
              .contains(cause);
        });
  }

  private void awaitSynced(Manager running) {
    Eventually.that(
        time,
        Duration.ofMillis(100),
        () -> assertThat(running.diagnosis().controllers().get(0).ready()).isTrue());
  }

  @ParameterizedTest
  @CsvSource({
    "-reflector, caches, -reflector has ended",
    "-applier, caches, -applier has ended",
    "-handler-1, caches, -handler-1 has ended",
    "foo-starter, controller-foo, foo-starter has ended",
    "foo-worker-1, controller-foo, only 0 of 1 workers of controller foo are running",
    "channel-foos.samplecontroller.k8s.io, controller-foo, the channel of foos",
    "ticker-PT1M, controller-foo, the ticker every 1 min: ticker-PT1M has ended",
    "events-test, events, events-test has ended",
    "leader-lease, leader-election, leader-lease has ended",
    "leader-lease-components, leader-election, leader-lease-components has ended",
    "health-monitor, endpoints, health-monitor has ended",
    "metrics-certificate, endpoints, metrics-certificate has ended",
    "permissions-check, permissions, permissions-check has ended",
  })
  void isRedWhenALoopEnds(String loop, String check, String cause) throws Exception {
    dead = loop;
    if (loop.contains("worker")) {
      server.put(Samples.json("Foo", "a")); // workers start with the first key
    }
    Manager running = start(loop);
    if (loop.contains("worker")) {
      awaitSynced(running);
    }
    awaitRed(running, check, cause);
  }

  @ParameterizedTest
  @CsvSource({
    "-reflector, caches",
    "-applier, caches",
    "-handler-1, caches",
    "foo-starter, controller-foo",
    "channel-foos.samplecontroller.k8s.io, controller-foo",
    "ticker-PT1M, controller-foo",
    "events-test, events",
    "leader-lease, leader-election",
    "leader-lease-components, leader-election",
    "health-monitor, endpoints",
    "metrics-certificate, endpoints",
    "permissions-check, permissions",
  })
  @Execution(ExecutionMode.CONCURRENT)
  void isRedWhenALoopHangs(String loop, String check) throws Exception {
    blocked = loop;
    Manager running = start(loop);
    awaitRed(running, check, loop + " has hung for");
    released.countDown();
    Eventually.that(
        () -> {
          time.advance(Duration.ofMillis(100)); // an outcome answers for as long
          assertThat(probe(running)).contains("[+]" + check + " ok");
        });
  }

  /** Twice as long for all messages as a round may take, but not for each. */
  @Test
  void isGreenWhileAChannelIsSlow() throws Exception {
    EventChannel<Foo> channel = Source.channel(Foo.class, options);
    EventHandler<Foo> slow =
        (event, sink) -> {
          permits.acquireUninterruptibly();
          sink.add(new Request(event.key()));
        };
    Manager running = settings().build();
    manager = running;
    ControllerBuilder.forType(Foo.class)
        .watches(channel.to(slow, event -> true))
        .reconciler((request, context) -> Result.done())
        .register(running);
    running.start();
    awaitSynced(running);
    for (int i = 0; i < 4; i++) {
      channel.send(Samples.foo("a" + i));
    }
    for (int left = 4; left > 0; left--) {
      int waiting = left;
      Eventually.that(
          () -> assertThat(probe(running)).startsWith("200 ").doesNotContain("has not returned"));
      time.advance(Duration.ofSeconds(25));
      Eventually.that(
          () -> assertThat(probe(running)).as("%d are left", waiting).startsWith("200 "));
      permits.release();
      Eventually.that(() -> assertThat(channel.waiting()).isEqualTo(waiting - 1));
      time.advance(Duration.ofSeconds(1));
    }
  }
}
