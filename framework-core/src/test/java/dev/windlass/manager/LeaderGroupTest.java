// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.health.HealthCheck.Kind;
import dev.windlass.leader.FakeLease;
import dev.windlass.leader.FakeLease.Fault;
import dev.windlass.leader.Fence;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.LeaderElector;
import dev.windlass.leader.LeadershipLostException;
import dev.windlass.testing.core.Http;
import dev.windlass.testing.core.Samples;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a manager runs when it leads, and what not when it does not. */
@Timeout(60)
final class LeaderGroupTest extends LeaderHarness {

  private static final Duration LEASE_DURATION = Duration.ofSeconds(15);

  private final Manager manager = build(settings(connection));

  private static boolean await(CountDownLatch latch) throws InterruptedException {
    latch.await();
    return true;
  }

  private static final LeaderElectionOptions OTHER =
      LeaderElectionOptions.of("other").withNamespace("default");

  /** Elects by the connection of the test, and for the other lease by that one. */
  private ManagerBuilder settingsWith(FakeLease.Connection other) {
    return settings(connection)
        .electors(
            (client, options, at, listener) ->
                paced(options.name().equals("other") ? other : connection, options, at, listener));
  }

  private void loseTheLease() {
    connection.fault = Fault.SWALLOWED;
    eventually(() -> assertThat(leads(manager)).isFalse());
  }

  @Test
  void startsWhatOnlyTheLeaderRunsWhenItLeads() {
    connection.fault = Fault.REFUSED;
    add(manager, "leader", Phase.LEADER);
    add(manager, "always", Phase.ALWAYS);
    add(manager, "ready", Phase.WARM_UP);
    manager.start();
    assertThat(news).containsExactly("start always", "start ready", "warm leader");
    eventually(() -> assertThat(manager.leadership().orElseThrow().problem()).isPresent());
    assertThat(news).hasSize(3);
    connection.fault = Fault.NONE;
    awaitNews("start always", "start ready", "warm leader", "start leader");
    assertThat(lease.holder()).isEqualTo(manager.leadership().orElseThrow().identity());
  }

  /** A standby that stops leaves the lease to others (docs/reliability.md, bug 26). */
  @Test
  void acquiresNothingWhileItStops() throws Exception {
    lease.heldBy("other", LEASE_DURATION);
    CountDownLatch stopping = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    add(manager, "always", Phase.ALWAYS);
    add(manager, "leader", Phase.LEADER).onStop = // it was warmed up
        limit -> {
          stopping.countDown();
          release.await();
          return true;
        };
    manager.start();
    eventually(
        () -> assertThat(manager.leadership().orElseThrow().status().holder()).contains("other"));
    CompletableFuture<Boolean> stop = inBackground(manager::stop);
    stopping.await();
    lease.heldBy("", LEASE_DURATION);
    long twiceItsPause = time.nanoTime() + Duration.ofSeconds(10).toNanos();
    eventually(() -> assertThat(time.nanoTime()).isGreaterThan(twiceItsPause));
    assertThat(leads(manager)).isFalse();
    release.countDown();
    assertThat(stop.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(lease.written).isEmpty();
    assertThat(news).doesNotContain("start leader").endsWith("stop leader", "stop always");
  }

  @Test
  void doesNotFailIfItIsStoppedWhileItsComponentsStart() throws Exception {
    CompletableFuture<Void> sealed = new CompletableFuture<>();
    add(manager, "first", Phase.LEADER).onStart =
        () -> {
          manager.requestStop();
          sealed.join();
        };
    add(manager, "second", Phase.LEADER).onCancel = () -> sealed.complete(null);
    CompletableFuture<Boolean> run = inBackground(manager::run);
    eventuallyDone(run);
    assertThat(run.get()).isTrue();
    assertThat(manager.failure()).isEmpty();
    assertThat(news).doesNotContain("start second").endsWith("stop second");
    assertThat(lease.holder()).isEmpty();
  }

  /** Not even if the component fails because of it. */
  @Test
  void doesNotFailIfAStartIsBrokenOffByTheStop() throws Exception {
    CountDownLatch stopping = new CountDownLatch(1);
    Part part = add(manager, "part", Phase.LEADER);
    part.onCancel = stopping::countDown;
    part.onStart =
        () -> {
          manager.requestStop();
          stopping.await();
          throw new IllegalStateException("the stop has closed what this start needs");
        };
    CompletableFuture<Boolean> run = inBackground(manager::run);
    eventuallyDone(run);
    assertThat(run.get()).isTrue();
    assertThat(manager.failure()).isEmpty();
  }

  /** See docs/reliability.md, bug 27. */
  @Test
  void startsNothingThatIsAddedOnAStandby() throws Exception {
    lease.heldBy("other", LEASE_DURATION);
    manager.start();
    Part late = add(manager, "late", Phase.LEADER);
    add(manager, "always", Phase.ALWAYS);
    assertThat(news).containsExactly("warm late", "start always");
    assertThat(manager.remove(late)).isTrue();
    add(manager, "later", Phase.LEADER);
    eventually(() -> assertThat(leads(manager)).isTrue());
    eventually(() -> assertThat(news).contains("start later"));
    assertThat(news).doesNotContain("start late");
    add(manager, "last", Phase.LEADER);
    eventually(() -> assertThat(news).contains("start last"));
    assertThat(news).as("it leads already").doesNotContain("warm last");
  }

  /** The fence closes, all are cancelled, and then stopped (docs/reliability.md, H6). */
  @Test
  void stopsWithAnErrorWhenTheLeaseIsLost() {
    List<Object> seen = new ArrayList<>();
    add(manager, "always", Phase.ALWAYS);
    add(manager, "first", Phase.LEADER).onCancel =
        () -> seen.add(manager.leadership().orElseThrow().fence().holds());
    add(manager, "second", Phase.LEADER).onStop =
        limit -> {
          seen.add(limit);
          return true;
        };
    CompletableFuture<Boolean> run = inBackground(manager::run);
    eventually(() -> assertThat(news).contains("start second"));
    news.clear();
    loseTheLease();
    eventuallyDone(run);
    assertThatThrownBy(run::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("the lease default/lease was lost: it was not renewed within 10 s")
        .cause()
        .isInstanceOf(LeadershipLostException.class)
        .hasMessageStartingWith("the lease default/lease was lost: it was not renewed within 10 s");
    assertThat(news.subList(0, 2)).containsExactlyInAnyOrder("cancel first", "cancel second");
    assertThat(news.subList(2, 5)).containsExactly("stop second", "stop first", "stop always");
    assertThat(seen.get(0)).isEqualTo(false);
    assertThat(manager.failure()).containsInstanceOf(LeadershipLostException.class);
  }

  /** Otherwise an operator who sets a variable to no avail has nothing to search for. */
  @Test
  void warnsOfASettingWithoutEffect() {
    Map<String, String> environment = Map.of("WINDLASS_LEADER_ELECTION_IDENTITY", "me");
    Manager overriding =
        build(
            settings(connection).settings(new EnvironmentSettings(name -> null, environment::get)));
    try (Logs logs = Logs.of(Manager.class)) {
      overriding.start();
      assertThat(logs.lines())
          .filteredOn(line -> line.startsWith("WARN "))
          .containsExactly(
              "WARN The variable WINDLASS_LEADER_ELECTION_IDENTITY has no effect, because the"
                  + " program calls leaderElection(...), which takes precedence");
    }
  }

  /** A reader of the last lines of a log learns which lease was lost, and why. */
  @Test
  void namesTheLostLeaseAndTheReason() {
    add(manager, "part", Phase.LEADER);
    CompletableFuture<Boolean> run = inBackground(manager::run);
    eventually(() -> assertThat(news).contains("start part"));
    try (Logs election = Logs.of(LeaderElector.class);
        Logs stop = Logs.of(Manager.class)) {
      loseTheLease();
      eventuallyDone(run);
      assertThat(election.lines())
          .filteredOn(line -> line.contains("it was not renewed within 10 s"))
          .singleElement()
          .asString()
          .startsWith("WARN ")
          .contains(" is no longer the leader for the lease default/lease: ");
      String reason = "the lease default/lease was lost: it was not renewed within 10 s";
      assertThat(stop.lines())
          .anyMatch(line -> line.startsWith("ERROR Stopping the manager because " + reason))
          .last()
          .asString()
          .matches("INFO The manager stopped after .*: " + reason + ".*");
    }
  }

  /** A program that waits elsewhere learns from its probes that it has to stop the manager. */
  @Test
  void failsItsLivenessIfTheProgramMustStopIt() throws Exception {
    add(manager, "part", Phase.LEADER);
    manager.start();
    eventually(() -> assertThat(news).contains("start part"));
    assertThat(manager.endpoints().check(Kind.LIVE)).containsEntry("manager", Optional.empty());
    try (Logs stop = Logs.of(Manager.class)) {
      loseTheLease();
      eventually(
          () ->
              assertThat(stop.lines())
                  .singleElement()
                  .asString()
                  .startsWith(
                      "ERROR The program must stop the manager, which it started with start(),"
                          + " because the lease default/lease was lost: it was not renewed"));
      assertThat(manager.failure()).isPresent();
    }
    assertThat(manager.endpoints().check(Kind.LIVE).get("manager"))
        .hasValueSatisfying(
            cause -> assertThat(cause).contains("the lease default/lease was lost"));
    connection.fault = Fault.NONE; // a lease that was lost before any request hung is given back
    assertThat(manager.stop()).isTrue();
  }

  /** The replica competes again, and all start anew (docs/reliability.md, bug 31). */
  @Test
  void standsByIfItIsToldTo() throws Exception {
    FakeLease.Connection way = lease.connect();
    Manager patient = build(settings(way).onLeadershipLost(OnLeadershipLost.STAND_BY));
    add(patient, "always", Phase.ALWAYS);
    Part part = add(patient, "part", Phase.LEADER);
    CompletableFuture<Boolean> run = inBackground(patient::run);
    for (int term = 1; term <= 3; term++) {
      eventually(() -> assertThat(news).endsWith("start part"));
      news.clear();
      way.fault = Fault.SWALLOWED;
      awaitNews("cancel part", "stop part", "warm part");
      assertThat(patient.client()).isNotNull();
      way.fault = Fault.NONE;
    }
    assertThat(run).isNotDone();
    eventually(() -> assertThat(news).endsWith("start part"));
    part.onStop = limit -> false; // what does not end in time must not lead again
    way.fault = Fault.SWALLOWED;
    eventuallyDone(run);
    assertThatThrownBy(run::get).hasMessageContaining("was lost");
  }

  private void eventuallyDone(CompletableFuture<?> future) {
    eventually(() -> assertThat(future).isDone());
  }

  /** No other replica leads while a component may still act; those of each replica may. */
  @Test
  void givesTheLeaseBackWhenItsComponentsHaveEnded() throws Exception {
    for (boolean inTime : List.of(true, false)) {
      FakeLease own = new FakeLease();
      Manager each = build(settings(own.connect()));
      String self = each.leadership().orElseThrow().identity();
      String after = inTime ? "" : self;
      List<String> holders = new ArrayList<>();
      for (Phase phase : Phase.values()) {
        add(each, phase + " " + inTime, phase).onStop =
            limit -> {
              if (phase == Phase.WARM_UP) { // the first one after those of the leader
                Eventually.that(() -> assertThat(own.holder()).isEqualTo(after));
              }
              holders.add(own.holder());
              return phase != Phase.LEADER || inTime;
            };
      }
      each.start();
      eventually(() -> assertThat(news).contains("start LEADER " + inTime));
      assertThat(each.stop()).isEqualTo(inTime);
      assertThat(holders).containsExactly(self, after, after, after, after, after);
      assertThat(own.holder()).isEqualTo(after);
    }
  }

  /** Neither a component of each replica nor another group delays the next leader. */
  @Test
  void givesEachLeaseBackOnItsOwn() throws Exception {
    FakeLease other = new FakeLease();
    Manager both = build(settingsWith(other.connect()));
    CountDownLatch release = new CountDownLatch(1);
    Part slow = add(both, "slow", Phase.LEADER);
    slow.onStop = limit -> await(release);
    LeaderGroup group = both.leaderGroup(OTHER);
    both.start();
    eventually(() -> assertThat(news).contains("start slow"));
    eventually(() -> assertThat(group.status().leading()).isTrue());
    group.add("grouped", new Part("grouped", Phase.LEADER));
    eventually(() -> assertThat(news).contains("start grouped"));
    CompletableFuture<Boolean> stop = inBackground(both::stop);
    eventually(() -> assertThat(other.holder()).isEmpty());
    assertThat(lease.holder()).isNotEmpty();
    assertThat(stop).isNotDone();
    release.countDown();
    eventuallyDone(stop);
    assertThat(lease.holder()).isEmpty();
  }

  /** From the release on, its writes are rejected; one that has passed the fence delays it. */
  @Test
  void givesTheLeaseBackBehindAClosedFence() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    add(manager, "always", Phase.ALWAYS).onStop = limit -> await(release);
    manager.start();
    eventually(() -> assertThat(leads(manager)).isTrue());
    Fence fence = manager.leadership().orElseThrow().fence();
    Fence.Action write = fence.pass(() -> {});
    CompletableFuture<Boolean> stop = inBackground(manager::stop);
    eventually(() -> assertThat(fence.holds()).isFalse());
    assertThat(lease.holder()).isNotEmpty();
    write.ended();
    Eventually.that(() -> assertThat(lease.holder()).isEmpty());
    assertThat(stop).isNotDone();
    release.countDown();
    eventuallyDone(stop);
    assertThat(stop.get()).isTrue();
  }

  /** Nor is one whose component was removed and did not end. */
  @Test
  void remembersWhatWasRemovedAndDidNotEnd() throws Exception {
    Part part = add(manager, "part", Phase.LEADER);
    part.onStop = limit -> false;
    manager.start();
    eventually(() -> assertThat(news).contains("start part"));
    assertThat(manager.remove(part)).isFalse();
    manager.stop();
    assertThat(lease.holder()).isNotEmpty();
  }

  @Test
  void renewsWhileItStops() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    add(manager, "slow", Phase.LEADER).onStop = limit -> await(release);
    manager.start();
    eventually(() -> assertThat(news).contains("start slow"));
    CompletableFuture<Boolean> stop = inBackground(manager::stop);
    int before = lease.written.size();
    eventually(() -> assertThat(lease.written).hasSizeGreaterThan(before + 5));
    assertThat(leads(manager)).isTrue();
    release.countDown();
    eventuallyDone(stop);
    assertThat(stop.get()).isTrue();
  }

  @Test
  void failsIfALeaderComponentCantStart() {
    add(manager, "part", Phase.LEADER).onStart = () -> raise(new IllegalStateException("no"));
    CompletableFuture<Boolean> run = inBackground(manager::run);
    eventuallyDone(run);
    assertThatThrownBy(run::get).hasMessageContaining("part could not start: no");
    assertThat(news).endsWith("start part", "stop part");
    assertThat(lease.holder()).isEmpty();
  }

  @Test
  void failsIfALeaderComponentCantGetReady() {
    add(manager, "part", Phase.LEADER).onWarmUp = () -> raise(new IllegalStateException("no"));
    assertThatThrownBy(manager::start).hasMessage("part could not get ready: no");
    assertThat(news).containsExactly("warm part", "stop part");
  }

  /** A start that blocks must not delay the reaction to the loss (docs/reliability.md, bug 25). */
  @Test
  void interruptsAStartWhenTheLeaseIsLost() {
    add(manager, "hung", Phase.LEADER).onStart = () -> new CountDownLatch(1).await();
    CompletableFuture<Boolean> run = inBackground(manager::run);
    eventually(() -> assertThat(news).contains("start hung"));
    loseTheLease();
    eventuallyDone(run);
    assertThatThrownBy(run::get).hasRootCauseInstanceOf(LeadershipLostException.class);
    assertThat(news).containsExactly("warm hung", "start hung", "cancel hung", "stop hung");
  }

  @Test
  void runsGroupsWithLeasesOfTheirOwn() {
    FakeLease other = new FakeLease();
    FakeLease.Connection way = other.connect();
    Manager both = build(settingsWith(way).onLeadershipLost(OnLeadershipLost.STAND_BY));
    LeaderGroup group = both.leaderGroup(OTHER);
    group.add("grouped", new Part("grouped", Phase.LEADER));
    add(both, "main", Phase.LEADER);
    both.start();
    eventually(() -> assertThat(news).contains("start grouped", "start main"));
    way.fault = Fault.SWALLOWED;
    eventually(() -> assertThat(news).contains("stop grouped"));
    assertThat(news).doesNotContain("cancel main");
    assertThat(group.fence().holds()).isFalse();
    assertThat(leads(both)).isTrue();
    way.fault = Fault.NONE;
    eventually(() -> assertThat(news).endsWith("start grouped"));
    LeaderGroup late =
        both.leaderGroup(LeaderElectionOptions.of("main-2").withNamespace("default"));
    assertThat(late.status().leading()).isFalse();
    both.stop();
    assertThat(other.holder()).isEmpty();
    assertThat(lease.holder()).isEmpty();
    assertThatThrownBy(() -> both.leaderGroup(LEASE)).hasMessageContaining("has stopped");
  }

  /** Two electors of one lease would compete with each other. */
  @Test
  void isTheSameForTheSameLease() {
    LeaderElectionOptions shard = LeaderElectionOptions.of("shard").withNamespace("default");
    LeaderGroup group = manager.leaderGroup(shard);
    assertThat(manager.leaderGroup(shard)).isSameAs(group);
    assertThat(manager.leaderGroup(shard.withNamespace("other"))).isNotSameAs(group);
    assertThatThrownBy(() -> manager.leaderGroup(shard.withIdentity("me")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the lease default/shard is already used with other settings");
    assertThat(manager.leaderGroup(LEASE))
        .as("the manager's own")
        .isSameAs(manager.leadership().orElseThrow());
  }

  /** A component that makes a group of its own when it starts, such as one for each shard. */
  @Test
  void bearsAGroupThatIsMadeDuringTheStart() {
    List<LeaderGroup> made = new ArrayList<>();
    add(manager, "maker", Phase.ALWAYS).onStart =
        () ->
            made.add(
                manager.leaderGroup(LeaderElectionOptions.of("shard").withNamespace("default")));
    manager.start();
    assertThat(made).hasSize(1);
    assertThat(manager.isStopping()).isFalse();
    eventually(() -> assertThat(lease.holder()).isNotEmpty());
  }

  @Test
  void refusesTheWritesOfAReplicaThatDoesNotLead() {
    ConfigMap map = Samples.configMap("default", "a");
    String created = "POST /api/v1/namespaces/default/configmaps";
    try (Http http = new Http()) {
      http.answer(created, "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"}");
      Manager standby = build(settings(connection).config(http.config()));
      lease.heldBy("other", LEASE_DURATION);
      standby.start();
      assertThatThrownBy(() -> standby.client().create(map))
          .isInstanceOf(LeadershipLostException.class)
          .hasMessage(
              "this replica is not the leader for the lease default/lease: it has not been"
                  + " elected");
      assertThatThrownBy(() -> standby.client().uncached().create(map))
          .isInstanceOf(LeadershipLostException.class);
      assertThatThrownBy(() -> standby.kubernetesClient().resource(map).create())
          .isInstanceOf(LeadershipLostException.class);
      assertThat(http.lines()).isEmpty();
      standby.replicaClient().create(map);
      standby.replicaKubernetesClient().resource(map).create();
      assertThat(http.lines()).containsExactly(created, created);
      eventually(() -> assertThat(leads(standby)).isTrue());
      standby.client().create(map);
      standby.kubernetesClient().resource(map).create();
      assertThat(http.lines()).hasSize(4);
      connection.fault = Fault.SWALLOWED;
      eventually(() -> assertThat(leads(standby)).isFalse());
      assertThatThrownBy(() -> standby.client().create(map))
          .hasMessageContaining("it was not renewed within 10 s");
      assertThat(http.lines()).hasSize(4);
    }
  }
}
