// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.pipeline.WriteHook;
import dev.windlass.leader.FakeLease.Fault;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Clients;
import dev.windlass.testing.core.Http;
import dev.windlass.testing.core.Threads;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import dev.windlass.tls.RenewedCredentials;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The elector with its thread; what it decides is tested in {@link ElectionTest}. */
@Timeout(60)
final class LeaderElectorTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final LeaderElectionOptions OPTIONS = LeaderElectionOptions.of("lease");

  private final ManualScheduler time = new ManualScheduler();
  private final Threads threads = new Threads();
  private final FakeLease lease = new FakeLease();
  private final FakeLease.Connection connection = lease.new Connection();
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final LeaderElector elector =
      new LeaderElector(OPTIONS, connection, surroundings(), new Listener());

  private final class Listener implements LeaderListener {
    @Override
    public void startedLeading() {
      heard.add("leads");
      throw new IllegalStateException("a listener that fails");
    }

    @Override
    public void stoppedLeading(LeadershipLostException why) {
      heard.add(elector.fence().holds() + " " + why.getMessage());
    }

    @Override
    public void newLeader(String identity) {
      heard.add(identity.replaceAll("_.*", ""));
    }
  }

  private LeaderElector.Environment surroundings() {
    return new LeaderElector.Environment(time, time.clock(), threads, new Random(1));
  }

  @AfterEach
  void leavesNoThreadBehind() throws InterruptedException {
    elector.stop(LIMIT, true);
    threads.assertEnded();
  }

  private void awaitLeading(boolean leading) {
    Eventually.that(() -> assertThat(elector.status().leading()).isEqualTo(leading));
  }

  /** A stand-by can be told from the holder that its next lines name. */
  @Test
  void namesItselfAtTheStart() {
    try (Logs logs = Logs.of(LeaderElector.class)) {
      elector.start();
      assertThat(logs.lines())
          .first()
          .isEqualTo("INFO Competing for the lease lease as " + elector.identity());
    }
  }

  @Test
  void leadsAndStopsAndLeadsAgain() throws InterruptedException {
    for (int life = 1; life <= 3; life++) {
      elector.start();
      assertThatThrownBy(elector::start).hasMessage("the elector of lease is already running");
      awaitLeading(true);
      assertThat(elector.fence().holds()).isTrue();
      assertThat(elector.status().holder()).contains(elector.identity());
      assertThat(elector.stop(LIMIT, true)).isTrue();
      assertThat(elector.fence().holds()).isFalse();
      assertThat(elector.status().leading()).isFalse();
      assertThat(elector.status().terms()).isEqualTo(life);
      assertThat(lease.record().isFree()).isTrue();
    }
    assertThat(threads).noneMatch(Thread::isAlive);
  }

  @Test
  void stopsAgainAndWithoutAStart() throws InterruptedException {
    assertThat(elector.stop(LIMIT, true)).isTrue();
    elector.start();
    awaitLeading(true);
    assertThat(elector.stop(LIMIT, true)).isTrue();
    assertThat(elector.stop(LIMIT, true)).isTrue();
  }

  /** Its listener hears of a loss when the fence has closed, and its thread renews in time. */
  @Test
  void losesAndStandsAgain() {
    elector.start();
    awaitLeading(true);
    Eventually.that(
        time, Duration.ofSeconds(2), () -> assertThat(lease.written).hasSizeGreaterThan(50));
    assertThat(heard).hasSize(2).doesNotContain("false");
    connection.fault = Fault.SWALLOWED;
    Eventually.advance(time, () -> !elector.status().leading());
    Eventually.that(
        () ->
            assertThat(heard)
                .last()
                .asString()
                .startsWith("false the lease lease was lost: it was not renewed within 10 s"));
    connection.fault = Fault.NONE;
    elector.standAgain();
    awaitLeading(true);
    assertThat(elector.problem()).isEmpty();
  }

  @Test
  void stopsWithinItsLimit() throws Exception {
    elector.start();
    awaitLeading(true);
    connection.fault = Fault.SWALLOWED;
    Thread stopper = new Thread(() -> assertThat(stop(Duration.ofSeconds(3))).isFalse());
    stopper.start();
    Eventually.that(() -> assertThat(elector.fence().holds()).isFalse());
    Eventually.that(
        () -> {
          time.advance(Duration.ofMillis(100));
          assertThat(stopper.isAlive()).isFalse();
        });
    assertThat(lease.record().holder()).as("it expires").isEqualTo(elector.identity());
  }

  /** What was lost can't be given back; that is no stop that failed. */
  @Test
  void endsAtOnceIfItLostTheLeaseToAServerThatHangs() throws InterruptedException {
    elector.start();
    awaitLeading(true);
    connection.fault = Fault.SWALLOWED;
    Eventually.that(
        () -> {
          time.advance(Duration.ofMillis(100));
          assertThat(heard).anyMatch(line -> line.startsWith("false the lease"));
        });
    assertThat(elector.stop(LIMIT, true)).isTrue();
  }

  /** An exec plugin can run for a minute before a request is sent. */
  @Test
  void losesTheLeaseInTimeWhileAPluginRuns() throws Exception {
    LeaderElectionOptions options = OPTIONS.withNamespace("default");
    Plugin plugin = new Plugin();
    try (Http server = new Http();
        KubernetesClient client =
            Clients.hooked(
                new ConfigBuilder(server.config()).withOauthTokenProvider(plugin).build(),
                WriteHook.NONE)) {
      LeaderElector remote =
          LeaderElector.create(client, options, surroundings(), new LeaderListener() {});
      server.answer(
          "POST /apis/coordination.k8s.io/v1/namespaces/default/leases",
          """
          {"metadata":{"name":"lease","resourceVersion":"1"},
           "spec":{"holderIdentity":"%s","leaseDurationSeconds":15}}\
          """
              .formatted(remote.identity()));
      remote.start();
      Eventually.that(() -> assertThat(remote.status().leading()).isTrue());
      plugin.hangs = true;
      try {
        Eventually.that( // the elector leads before it has scheduled its renewal
            time, Duration.ofSeconds(2), () -> assertThat(plugin.called.getCount()).isZero());
        time.advance(Duration.ofSeconds(10));
        Eventually.that(() -> assertThat(remote.status().leading()).isFalse());
        assertThat(remote.loops()).allMatch(loop -> loop.busyFor().isZero());
        assertThat(remote.stop(LIMIT, true)).isTrue();
      } finally {
        plugin.answers.countDown();
      }
    }
  }

  private static final class Plugin implements RenewedCredentials {
    private final CountDownLatch called = new CountDownLatch(1);
    private final CountDownLatch answers = new CountDownLatch(1);
    private volatile boolean hangs;

    @Override
    public String getToken() {
      if (hangs) {
        called.countDown();
        try {
          answers.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return "token";
    }

    @Override
    public Optional<ClientCertificate> certificate() {
      return Optional.empty();
    }

    @Override
    public Optional<String> refused(String token) {
      return Optional.empty();
    }
  }

  private boolean stop(Duration limit) {
    try {
      return elector.stop(limit, true);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void leavesTheLeaseToExpireIfItsOptionsSaySo() throws InterruptedException {
    LeaderElector keeping =
        new LeaderElector(
            OPTIONS.withoutReleaseOnStop(), connection, surroundings(), new LeaderListener() {});
    keeping.start();
    Eventually.that(() -> assertThat(keeping.status().leading()).isTrue());
    assertThat(keeping.stop(LIMIT, true)).as("that is how it ends").isTrue();
    assertThat(lease.record().holder()).isEqualTo(keeping.identity());
  }

  @Test
  void needsANamespace() {
    Config nowhere = Config.empty();
    nowhere.setNamespace(null);
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(nowhere).build()) {
      assertThatThrownBy(
              () -> LeaderElector.create(client, OPTIONS, surroundings(), new LeaderListener() {}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "the lease lease needs a namespace, and neither its options nor the client names"
                  + " one; set WINDLASS_LEADER_ELECTION_NAMESPACE, or call withNamespace(...)");
    }
  }
}
