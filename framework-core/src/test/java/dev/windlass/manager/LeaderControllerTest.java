// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.behaviour.Proves;
import dev.windlass.client.ApiException;
import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.leader.FakeLease.Fault;
import dev.windlass.leader.LeadershipLostException;
import dev.windlass.testing.core.Eventually;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Controllers and the lease of their manager. */
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

  /** bug 27: a replica that stands by is warm, and reconciles nothing. */
  @Test
  @Proves("000-52")
  void isWarmBeforeItLeadsAndReconcilesThen() {
    server.put(Samples.json("Foo", "a"));
    otherLeads();
    Controller controller = foos().register(manager);
    manager.start();
    eventually(() -> assertThat(controller.hasSynced()).isTrue());
    server.put(Samples.json("Foo", "b"));
    eventually(() -> assertThat(controller.queueLength()).isEqualTo(2));
    assertThat(seen).isEmpty();
    assertThat(controller.isReady()).isFalse();
    eventually(() -> assertThat(seen).contains("a", "b"));
    assertThat(leads(manager)).isTrue();
  }

  @Test
  void staysColdIfItIsToldTo() {
    otherLeads();
    Controller controller = foos().warmUp(false).register(manager);
    manager.start();
    server.put(Samples.json("Foo", "a"));
    eventually(() -> assertThat(manager.leadership().orElseThrow().status().holder()).isPresent());
    server.assertNothingOpen();
    eventually(() -> assertThat(seen).contains("a"));
    assertThat(controller.isReady()).isTrue();
  }

  @Test
  void runsOnEveryReplicaIfItNeedsNoLeader() {
    lease.heldBy("other", Duration.ofHours(10));
    Controller controller = foos().needLeaderElection(false).register(manager);
    assertThat(controller.phase()).isEqualTo(Phase.ALWAYS);
    server.put(Samples.json("Foo", "a"));
    manager.start();
    eventually(() -> assertThat(seen).contains("a"));
    assertThat(leads(manager)).isFalse();
  }

  /** P7: what a controller writes through the manager is fenced by the lease of its own group. */
  @Test
  void writesThroughTheManagerAsTheGroupOfTheRunningController() {
    Manager alone = build(settingsWithoutElection(lease.connect()));
    LeaderGroup group = alone.leaderGroup(LEASE);
    CompletableFuture<Throwable> before = new CompletableFuture<>();
    CompletableFuture<Throwable> after = new CompletableFuture<>();
    CompletableFuture<Throwable> elsewhere = new CompletableFuture<>();
    ControllerBuilder.forType(Foo.class)
        .reconciler(
            (request, context) -> {
              before.complete(failureOf(() -> alone.client().create(Samples.foo("b"))));
              while (group.fence().holds()) {
                Thread.onSpinWait();
              }
              after.complete(failureOf(() -> alone.client().create(Samples.foo("b"))));
              Thread other =
                  new Thread(
                      () ->
                          elsewhere.complete(
                              failureOf(
                                  () ->
                                      context.call(
                                          () -> alone.client().create(Samples.foo("b"))))));
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
    assertThat(failureOf(() -> alone.client().create(Samples.foo("b"))))
        .as("outside of a reconcile this manager elects nobody")
        .isInstanceOf(ApiException.class);
  }

  /** C.4: a controller of every replica writes on every replica. */
  @Test
  void doesNotFenceWhatNeedsNoLeader() {
    lease.heldBy("other", Duration.ofHours(10));
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    foos()
        .reconciler(
            (request, context) -> {
              failure.complete(failureOf(() -> manager.client().create(Samples.foo("b"))));
              return Result.done();
            })
        .needLeaderElection(false)
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

  /** H6: what runs is cancelled, nothing begins, and the next term sees everything again. */
  @Test
  void cancelsWhatRunsWhenTheLeaseIsLost() {
    CountDownLatch cancelled = new CountDownLatch(1);
    Controller controller =
        foos()
            .reconciler(
                (request, context) -> {
                  seen.add(request.name());
                  while (!context.isCancelled() && cancelled.getCount() > 0) {
                    Thread.onSpinWait();
                  }
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

  /** P7, H1: a worker that wakes up from a freeze begins nothing, before anybody has told it. */
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
    assertThatThrownBy(
            () -> foos().needLeaderElection(false).leaderElection(group).register(manager))
        .hasMessage(
            "the controller of Foo runs on every replica, and has a lease: leave out one of the two"
                + " calls");
    foos().leaderElection(group).register(manager);
    assertThatThrownBy(() -> foos().register(manager)).hasMessageContaining("there already");
  }
}
