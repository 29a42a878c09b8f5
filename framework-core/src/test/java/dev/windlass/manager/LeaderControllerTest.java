// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.leader.FakeLease.Fault;
import dev.windlass.leader.Fence;
import dev.windlass.leader.LeaderElector;
import dev.windlass.leader.LeadershipLostException;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import dev.windlass.testing.core.Scraped;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Controllers and the lease of their manager. Covers docs/reliability.md, H1 and H6. */
@Timeout(60)
final class LeaderControllerTest extends LeaderHarness {

  private final Manager manager =
      build(settings(connection).onLeadershipLost(OnLeadershipLost.STAND_BY));
  private final List<String> seen = new CopyOnWriteArrayList<>();

  private ControllerBuilder<Foo> foos() {
    return ControllerBuilder.forType(Foo.class)
        .reconciler(
            (request, context) -> {
              seen.add(request.name());
              return Result.done();
            });
  }

  private void otherLeads() {
    lease.heldBy("other", Duration.ofSeconds(15));
  }

  @Test
  void isWarmBeforeItLeadsAndReconcilesThen() {
    server.put(Samples.json("Foo", "a"));
    otherLeads();
    Controller controller = foos().register(manager);
    manager.start();
    eventually(() -> assertThat(controller.hasSynced()).isTrue());
    server.put(Samples.json("Foo", "b"));
    eventually(() -> assertThat(manager.cache(Foo.class).indexer().size()).isEqualTo(2));
    assertThat(seen).isEmpty();
    assertThat(controller.isReady()).isFalse();
    eventually(() -> assertThat(seen).contains("a", "b"));
    assertThat(leads(manager)).isTrue();
  }

  @Test
  void holdsNothingForWhatCameAndWent() {
    lease.heldBy("other", Duration.ofHours(10));
    Controller controller = foos().register(manager);
    manager.start();
    eventually(() -> assertThat(controller.hasSynced()).isTrue());
    for (int i = 0; i < 200; i++) {
      server.put(Samples.json("Foo", "job-" + i));
      if (i >= 10) {
        server.delete(new ObjectKey("default", "job-" + (i - 10)));
      }
    }
    eventually(() -> assertThat(names()).hasSize(10).contains("job-199", "job-190"));
    assertThat(controller.queueLength()).isZero();
    assertThat(controller.queueLengths().values()).allMatch(length -> length == 0);
    assertThat(adds()).isZero();
    lease.heldBy("", Duration.ofSeconds(1));
    eventually(() -> assertThat(seen).hasSize(10));
    assertThat(seen).allMatch(name -> name.startsWith("job-19"));
    assertThat(adds()).as("each object once").isEqualTo(10);
    assertThat(
            Scraped.value(
                manager.meterRegistry(),
                "workqueue_depth{controller=\"foo\",name=\"foo\",priority=\"-100\"}"))
        .isZero();
  }

  private List<String> names() {
    return manager.cache(Foo.class).indexer().keys().stream().map(ObjectKey::name).toList();
  }

  private double adds() {
    return Scraped.value(
        manager.meterRegistry(), "workqueue_adds_total{controller=\"foo\",name=\"foo\"}");
  }

  @Test
  void staysColdIfItIsToldTo() {
    otherLeads();
    Controller controller = foos().withoutWarmUp().register(manager);
    manager.start();
    server.put(Samples.json("Foo", "a"));
    eventually(() -> assertThat(manager.leadership().orElseThrow().status().holder()).isPresent());
    server.assertNothingOpen();
    eventually(() -> assertThat(seen).contains("a"));
    eventually(() -> assertThat(controller.isReady()).isTrue());
  }

  @Test
  void runsOnEveryReplicaIfItNeedsNoLeader() {
    lease.heldBy("other", Duration.ofHours(10));
    Controller controller = foos().onEveryReplica().register(manager);
    assertThat(controller.phase()).isEqualTo(Phase.ALWAYS);
    server.put(Samples.json("Foo", "a"));
    manager.start();
    eventually(() -> assertThat(seen).contains("a"));
    assertThat(leads(manager)).isFalse();
  }

  /** How a reconciler comes to its client. */
  private enum Way {
    MANAGER,
    ANOTHER_CLUSTER,
    CONTEXT;

    Client client(Client captured, ReconcileContext context) {
      return this == CONTEXT ? context.client() : captured;
    }

    /** On a thread of which the controller knows nothing, unless it is told. */
    void elsewhere(Client captured, ReconcileContext context) throws Exception {
      if (this == CONTEXT) {
        context.client().create(Samples.foo("b"));
      } else {
        context.call(() -> captured.create(Samples.foo("b")));
      }
    }
  }

  /** The lease of its own group fences a controller's writes, wherever they are made. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void writesAsTheGroupOfTheRunningController(Way way) {
    Manager alone = build(settingsWithoutElection(lease.connect()));
    Client client =
        way == Way.ANOTHER_CLUSTER ? alone.cluster("far", Config.empty()).client() : alone.client();
    LeaderGroup group = alone.leaderGroup(LEASE);
    CompletableFuture<Throwable> before = new CompletableFuture<>();
    CompletableFuture<Throwable> after = new CompletableFuture<>();
    CompletableFuture<Throwable> elsewhere = new CompletableFuture<>();
    ControllerBuilder.forType(Foo.class)
        .reconciler(
            (request, context) -> {
              before.complete(
                  failureOf(() -> way.client(client, context).create(Samples.foo("b"))));
              Eventually.stuckUntil(() -> !group.fence().holds());
              after.complete(failureOf(() -> way.client(client, context).create(Samples.foo("b"))));
              Thread other =
                  new Thread(
                      () -> elsewhere.complete(failureOf(() -> way.elsewhere(client, context))));
              other.start();
              other.join();
              return Result.done();
            })
        .leaderElection(group)
        .register(alone);
    server.put(Samples.json("Foo", "a"));
    alone.start();
    eventually(() -> assertThat(before).isDone());
    assertThat(before.join()).isInstanceOf(ApiException.class);
    lease.heldBy("other", Duration.ofHours(1));
    eventually(() -> assertThat(elsewhere).isDone());
    assertThat(after.join()).isInstanceOf(LeadershipLostException.class);
    assertThat(elsewhere.join()).isInstanceOf(LeadershipLostException.class);
    assertThat(failureOf(() -> client.create(Samples.foo("b"))))
        .as("outside of a reconcile this manager elects nobody")
        .isInstanceOf(ApiException.class);
  }

  /** C.4: a controller of every replica writes on every replica. */
  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"MANAGER", "CONTEXT"})
  void doesNotFenceWhatNeedsNoLeader(Way way) {
    lease.heldBy("other", Duration.ofHours(10));
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    foos()
        .reconciler(
            (request, context) -> {
              Client client = way.client(manager.client(), context);
              failure.complete(failureOf(() -> client.create(Samples.foo("b"))));
              return Result.done();
            })
        .onEveryReplica()
        .register(manager);
    server.put(Samples.json("Foo", "a"));
    manager.start();
    eventually(() -> assertThat(failure).isDone());
    assertThat(failure.join()).as("nobody answers there").isInstanceOf(ApiException.class);
    assertThat(failureOf(() -> manager.client().create(Samples.foo("b"))))
        .isInstanceOf(LeadershipLostException.class);
  }

  private static Throwable failureOf(ThrowableAssert.ThrowingCallable call) {
    return ThrowableAssert.catchThrowable(call);
  }

  @Test
  void cancelsWhatRunsWhenTheLeaseIsLost() {
    CountDownLatch cancelled = new CountDownLatch(1);
    Controller controller =
        foos()
            .reconciler(
                (request, context) -> {
                  seen.add(request.name());
                  Eventually.stuckUntil(() -> context.isCancelled() || cancelled.getCount() == 0);
                  cancelled.countDown();
                  return Result.done();
                })
            .register(manager);
    server.put(Samples.json("Foo", "a"));
    manager.start();
    eventually(() -> assertThat(seen).containsExactly("a"));
    server.put(Samples.json("Foo", "b"));
    eventually(() -> assertThat(controller.queueLength()).isEqualTo(1));
    connection.fault = Fault.SWALLOWED;
    eventually(() -> assertThat(leads(manager)).isFalse());
    Eventually.that(() -> assertThat(cancelled.getCount()).isZero());
    Eventually.that(() -> assertThat(controller.isReady()).isFalse());
    assertThat(seen).containsExactly("a");
    connection.fault = Fault.NONE;
    eventually(() -> assertThat(seen).contains("b"));
    assertThat(manager.leadership().orElseThrow().status().terms()).isEqualTo(2);
  }

  /** The interrupt ends the reconcile, so the lease is released and the log says so. */
  @Test
  void givesTheLeaseBackWhenAHangingReconcileWasInterrupted() {
    hangs(false);
    try (Logs logs = Logs.of(Manager.class);
        Logs election = Logs.of(LeaderElector.class)) {
      assertThat(stopped()).isTrue();
      assertThat(lease.holder()).isEmpty();
      assertThat(election.lines()).contains("INFO Released the lease default/lease");
      assertThat(logs.lines()).last().asString().endsWith(": requested by the program");
    }
  }

  /** A reconcile that ignores its interrupt may still act, so no other replica may lead. */
  @Test
  void keepsTheLeaseWhileAReconcileIgnoresItsInterrupt() {
    CountDownLatch release = hangs(true);
    try (Logs logs = Logs.of(Manager.class)) {
      assertThat(stopped()).isFalse();
      assertThat(lease.holder()).isNotEmpty();
      assertThat(logs.lines())
          .contains(
              "WARN Letting the lease default/lease expire, because it is still in use by"
                  + " [controller foo]");
    } finally {
      release.countDown();
    }
  }

  /** The caller no longer waits for the request, but the server may still execute it. */
  @Test
  void keepsTheLeaseWhileARequestIsUnderWay() {
    manager.start();
    eventually(() -> assertThat(leads(manager)).isTrue());
    Fence.Action request = manager.leadership().orElseThrow().fence().pass(() -> {});
    try (Logs logs = Logs.of(Manager.class)) {
      assertThat(stopped()).isTrue();
      assertThat(lease.holder()).isNotEmpty();
      assertThat(logs.lines())
          .contains(
              "WARN Letting the lease default/lease expire, because a request that was sent under"
                  + " it has not ended");
    }
    request.ended();
  }

  @Test
  void givesTheLeaseBackWhenTheLastRequestHasEnded() {
    manager.start();
    eventually(() -> assertThat(leads(manager)).isTrue());
    Fence.Action request = manager.leadership().orElseThrow().fence().pass(() -> {});
    var unused =
        manager.informerOptions().scheduler().schedule(request::ended, Duration.ofSeconds(1));
    assertThat(stopped()).isTrue();
    assertThat(lease.holder()).isEmpty();
  }

  private boolean stopped() {
    CompletableFuture<Boolean> stop = inBackground(manager::stop);
    eventually(() -> assertThat(stop).isDone());
    return stop.join();
  }

  private CountDownLatch hangs(boolean stubborn) {
    CountDownLatch release = new CountDownLatch(1);
    foos()
        .reconciler(
            (request, context) -> {
              seen.add(request.name());
              boolean over = false;
              while (!over) {
                try {
                  release.await();
                  over = true;
                } catch (InterruptedException e) {
                  over = !stubborn;
                }
              }
              return Result.done();
            })
        .register(manager);
    server.put(Samples.json("Foo", "a"));
    manager.start();
    eventually(() -> assertThat(seen).containsExactly("a"));
    return release;
  }

  /** A worker that resumes after a freeze starts nothing, even before it is told of the loss. */
  @Test
  void beginsNothingBehindAClosedFence() {
    CompletableFuture<Void> frozen = new CompletableFuture<>();
    Controller controller = foos().register(manager);
    server.put(Samples.json("Foo", "a"));
    manager.start();
    eventually(() -> assertThat(seen).containsExactly("a"));
    connection.fault = Fault.SWALLOWED;
    manager.add("blocker", blockerOf(frozen)); // keeps the group's thread, as a freeze would
    eventually(() -> assertThat(news).contains("start blocker"));
    eventually(() -> assertThat(manager.leadership().orElseThrow().fence().holds()).isFalse());
    server.put(Samples.json("Foo", "b"));
    eventually(() -> assertThat(controller.queueLength()).isZero());
    assertThat(seen).containsExactly("a");
    frozen.complete(null);
  }

  private Part blockerOf(CompletableFuture<Void> frozen) {
    Part part = new Part("blocker", Phase.LEADER);
    part.onStart = frozen::join;
    return part;
  }

  @Test
  void refusesALeaseForWhatNeedsNone() {
    LeaderGroup group = manager.leaderGroup(LEASE);
    assertThatThrownBy(() -> foos().onEveryReplica().leaderElection(group).register(manager))
        .hasMessage(
            "the controller of Foo runs on every replica and has a lease: remove one of the two"
                + " calls");
    foos().leaderElection(group).register(manager);
    assertThatThrownBy(() -> foos().register(manager)).hasMessageContaining("already exists");
  }
}
