// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.leader.FakeLease;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.LeaderElector;
import dev.windlass.leader.LeaderListener;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.testing.core.Threads;
import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Managers that compete for a Lease in memory, on virtual time. */
abstract class LeaderHarness {

  static final LeaderElectionOptions LEASE =
      LeaderElectionOptions.of("lease").withNamespace("default");

  /** The least of real time for 100 ms of virtual time: 1 ms. */
  private static final long PACE = 1_000_000;

  /** One that is also warmed up and cancelled. */
  final class Part extends NotedPart {
    Action onWarmUp = () -> {};
    Runnable onCancel = () -> {};

    Part(String name, Phase phase) {
      super(news, name, phase);
    }

    @Override
    public void warmUp() throws Exception {
      news.add("warm " + name);
      onWarmUp.run();
    }

    @Override
    public void cancel(Duration limit) {
      if (managers.stream().noneMatch(Manager::isStopping)) { // each stop begins with it
        news.add("cancel " + name);
      }
      onCancel.run();
    }
  }

  final List<String> news = new CopyOnWriteArrayList<>();
  final Threads threads = new Threads();
  final ManualScheduler time = new ManualScheduler();
  final FakeListerWatcher server = new FakeListerWatcher();
  final FakeLease lease = new FakeLease();
  final FakeLease.Connection connection = lease.connect();
  private final List<Manager> managers = new ArrayList<>();
  private final List<Paced> electors = new CopyOnWriteArrayList<>();

  @AfterEach
  void leavesNothingBehind() throws InterruptedException {
    CompletableFuture<Boolean> stop =
        inBackground(() -> managers.stream().map(Manager::stop).reduce(true, Boolean::logicalAnd));
    Eventually.that(
        () -> {
          time.advance(Duration.ofMillis(100));
          assertThat(stop).isDone();
        });
    threads.assertEnded();
    server.assertNothingOpen();
  }

  ManagerBuilder settings(FakeLease.Connection way) {
    return settingsWithoutElection(way).leaderElection(LEASE);
  }

  /** Of a manager that elects nobody itself, but may have leader groups. */
  ManagerBuilder settingsWithoutElection(FakeLease.Connection way) {
    return Manager.builder()
        .config(Config.empty())
        .checkPermissions(false)
        .clock(time.clock())
        .informerOptions(InformerOptions.defaults().withScheduler(time).withThreads(threads))
        .connector(client -> (type, scope) -> server)
        .electors((client, options, at, listener) -> paced(way, options, at, listener));
  }

  Manager build(ManagerBuilder settings) {
    Manager manager = settings.build();
    managers.add(manager);
    return manager;
  }

  Part add(Manager manager, String name, Phase phase) {
    Part part = new Part(name, phase);
    manager.add(name, part);
    return part;
  }

  static boolean leads(Manager manager) {
    return manager.leadership().orElseThrow().status().leading();
  }

  /** Lets time go on until it holds, but never costs a leader on a busy machine its lease. */
  void eventually(Eventually.Assertion assertion) {
    Eventually.that(
        () -> {
          if (electors.stream().allMatch(Paced::rests)) {
            time.advance(Duration.ofMillis(100));
          }
          LockSupport.parkNanos(PACE);
          assertion.check();
        });
  }

  /** The time of one elector, which knows whether an alarm of it is set. */
  private final class Paced implements Scheduler {
    private final AtomicInteger alarms = new AtomicInteger();
    private @Nullable LeaderElector elector;

    LeaderElector make(
        FakeLease.Connection way,
        LeaderElectionOptions options,
        LeaderElector.Environment at,
        LeaderListener listener) {
      LeaderElector made =
          way.elector(
              options,
              new LeaderElector.Environment(this, at.clock(), at.threads(), at.random()),
              listener);
      elector = made;
      electors.add(this);
      return made;
    }

    boolean rests() {
      LeaderElector made = elector;
      return made == null || !made.status().leading() || alarms.get() > 0;
    }

    @Override
    public long nanoTime() {
      return time.nanoTime();
    }

    @Override
    public Alarm schedule(Runnable task, Duration delay) {
      AtomicBoolean over = new AtomicBoolean();
      Runnable end =
          () -> {
            if (!over.getAndSet(true)) {
              alarms.decrementAndGet();
            }
          };
      alarms.incrementAndGet();
      Alarm alarm =
          time.schedule(
              () -> {
                end.run();
                task.run();
              },
              delay);
      return () -> {
        end.run();
        alarm.cancel();
      };
    }
  }

  LeaderElector paced(
      FakeLease.Connection way,
      LeaderElectionOptions options,
      LeaderElector.Environment at,
      LeaderListener listener) {
    return new Paced().make(way, options, at, listener);
  }

  void awaitNews(String... expected) {
    eventually(() -> assertThat(news).containsExactly(expected));
  }

  static CompletableFuture<Boolean> inBackground(Supplier<Boolean> action) {
    return CompletableFuture.supplyAsync(action, task -> new Thread(task).start());
  }
}
