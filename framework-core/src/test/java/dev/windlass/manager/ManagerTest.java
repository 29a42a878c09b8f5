// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Http;
import dev.windlass.testing.core.Samples;
import dev.windlass.testing.core.Threads;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ManagerTest {

  /** How often a controller looks whether its sources have synced. */
  private static final Duration POLL = Duration.ofMillis(100);

  private final class Part extends NotedPart {
    Part(String name, Phase phase) {
      super(news, name, phase);
    }
  }

  private final List<String> news = new CopyOnWriteArrayList<>();
  private final Threads threads = new Threads();
  private final ManualScheduler time = new ManualScheduler();
  private final FakeListerWatcher server = new FakeListerWatcher();
  private final Manager manager = settings().build();

  private ManagerBuilder settings() {
    return Manager.builder()
        .config(Config.empty())
        .clock(time.clock())
        .informerOptions(options(time))
        .connector(client -> (type, scope) -> server);
  }

  private InformerOptions options(Scheduler scheduler) {
    return InformerOptions.defaults().withScheduler(scheduler).withThreads(threads);
  }

  @AfterEach
  void leavesNothingBehind() throws InterruptedException {
    manager.stop();
    threads.assertEnded();
    server.assertNothingOpen();
  }

  private Part add(String name, Phase phase) {
    Part part = new Part(name, phase);
    manager.add(part);
    return part;
  }

  @Test
  void startsPhaseByPhaseAndStopsInReverse() {
    List<String> up = new ArrayList<>();
    List<String> down = new ArrayList<>();
    for (Phase phase : Phase.values()) {
      for (String each : List.of("1", "2")) {
        up.add("start " + phase + each);
        down.add(0, "stop " + phase + each);
      }
    }
    List<Phase> backwards = new ArrayList<>(List.of(Phase.values()));
    Collections.reverse(backwards);
    for (Phase phase : backwards) {
      add(phase + "1", phase);
      add(phase + "2", phase);
    }
    manager.start();
    assertThat(news).isEqualTo(up);
    news.clear();
    assertThat(manager.stop()).isTrue();
    assertThat(news).isEqualTo(down);
  }

  @Test
  void startsWhatSaysNothingWithTheLeader() {
    ManagedComponent plain =
        new ManagedComponent() {
          @Override
          public void start() {}

          @Override
          public boolean stop(Duration limit) {
            return true;
          }
        };
    assertThat(plain.phase()).isEqualTo(Phase.LEADER);
  }

  /** A component may use up the time of the others, but not the tenth reserved for the caches. */
  @Test
  void stopsEverythingUnderOneDeadline() {
    List<Duration> limits = new ArrayList<>();
    for (String name : List.of("c", "b", "a")) {
      add(name, Phase.ALWAYS).onStop =
          limit -> {
            limits.add(limit);
            time.advance(Duration.ofSeconds(20));
            return true;
          };
    }
    manager.start();
    manager.stop();
    assertThat(limits)
        .containsExactly(Duration.ofMillis(22_500), Duration.ofMillis(2_500), Duration.ZERO);
  }

  @Test
  void keepsATenthOfTheTimeForTheCaches() {
    List<Duration> limits = new ArrayList<>();
    add("cache", Phase.CACHES).onStop = limits::add;
    add("hung", Phase.LEADER).onStop =
        limit -> {
          time.advance(limit);
          return false;
        };
    manager.start();
    assertThat(manager.stop()).isFalse();
    assertThat(limits).containsExactly(Duration.ofMillis(2_500));
  }

  /** Who is stopped because another failed to start may ask the manager something meanwhile. */
  @Test
  void holdsNoLockWhileAFailedStartIsUndone() {
    add("first", Phase.ALWAYS).onStop =
        limit ->
            CompletableFuture.supplyAsync(manager::isStopping, task -> new Thread(task).start())
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    add("second", Phase.LEADER).onStart = () -> raise(new IllegalStateException("no"));
    assertThatThrownBy(manager::start).hasMessageContaining("second could not start: no");
    assertThat(news).contains("stop first");
    assertThat(manager.stop()).as("first was stopped without waiting").isTrue();
  }

  @Test
  void saysWhetherEverythingEndedInTime() {
    add("slow", Phase.ALWAYS).onStop = limit -> false;
    add("quick", Phase.LEADER);
    manager.start();
    try (Logs logs = Logs.of(Manager.class)) {
      assertThat(manager.stop()).isFalse();
      assertThat(manager.stop()).as("again").isFalse();
      assertThat(logs.lines())
          .containsExactly(
              "WARN slow did not stop in time",
              "WARN The manager stopped incompletely after 0 s (requested by the program); the"
                  + " warnings above name what remains");
    }
    assertThat(news).containsExactly("start slow", "start quick", "stop quick", "stop slow");
  }

  /** The one that failed is stopped as well, since it may have started half of itself. */
  @Test
  void stopsTheRestWhenOneFailsToStart() {
    add("first", Phase.HTTP);
    Exception cause = new Exception("port 8080 is taken");
    add("second", Phase.ALWAYS).onStart = () -> raise(cause);
    add("third", Phase.LEADER);
    System.setProperty("windlass.stoptimeout", "1s");
    try (Logs logs = Logs.of(Manager.class)) {
      assertThatThrownBy(manager::start)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("second could not start: port 8080 is taken")
          .hasCause(cause);
      assertThat(logs.lines())
          .as("which may be why it fails")
          .contains(
              "WARN The system property windlass.stoptimeout is not a Windlass setting and has no"
                  + " effect; did you mean windlass.stop-timeout?");
    } finally {
      System.clearProperty("windlass.stoptimeout");
    }
    assertThat(news).containsExactly("start first", "start second", "stop second", "stop first");
  }

  @Test
  void stopsTheRestWhenOneFailsToStartWithAnError() {
    add("first", Phase.HTTP);
    add("second", Phase.ALWAYS).onStart =
        () -> raise(new NoClassDefFoundError("io/micrometer/Registry"));
    assertThatThrownBy(manager::start).isInstanceOf(NoClassDefFoundError.class);
    assertThat(news).containsExactly("start first", "start second", "stop second", "stop first");
  }

  @Test
  void stopsTheOthersWhenOneFailsToStop() {
    add("first", Phase.HTTP);
    add("second", Phase.ALWAYS).onStop = limit -> raise(new IllegalStateException("no"));
    add("third", Phase.LEADER).onStop = limit -> raise(new StackOverflowError());
    manager.start();
    assertThat(manager.stop()).isFalse();
    assertThat(news).endsWith("stop third", "stop second", "stop first");
  }

  @Test
  void startsAtOnceWhatIsAddedWhileItRuns() {
    manager.start();
    add("late", Phase.HTTP);
    assertThat(news).containsExactly("start late");
    manager.stop();
    assertThat(news).containsExactly("start late", "stop late");
  }

  @Test
  void startsWhatAComponentAddsInItsPhase() {
    add("caches", Phase.CACHES);
    add("http", Phase.HTTP).onStart =
        () -> {
          add("brought", Phase.LEADER);
          add("beside", Phase.HTTP);
        };
    manager.start();
    assertThat(news).containsExactly("start http", "start beside", "start caches", "start brought");
  }

  @Test
  void stopsEverythingWhenALateComponentFails() {
    add("first", Phase.HTTP);
    manager.start();
    Part late = new Part("late", Phase.LEADER);
    late.onStart = () -> raise(new IllegalStateException("no"));
    assertThatThrownBy(() -> manager.add(late)).hasMessage("late could not start: no");
    assertThat(news).containsExactly("start first", "start late", "stop late", "stop first");
    assertThat(manager.stop()).isTrue();
  }

  @Test
  void startsNothingMoreAfterAComponentStoppedIt() {
    add("first", Phase.HTTP).onStart = manager::stop;
    add("second", Phase.LEADER);
    assertThatThrownBy(manager::start).hasMessage("the manager was stopped while it started");
    assertThat(news).containsExactly("start first", "stop first");
  }

  @Test
  void runsOnce() {
    manager.start();
    assertThatThrownBy(manager::start)
        .hasMessage("a manager can be run only once; build another one");
    manager.stop();
    assertThatThrownBy(manager::start)
        .hasMessage("a manager can be run only once; build another one");
    assertThatThrownBy(() -> add("late", Phase.HTTP))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the manager has stopped; build another one");
  }

  @Test
  void stopsAgainAndWithoutAStart() {
    assertThat(manager.stop()).isTrue();
    assertThat(manager.stop()).isTrue();
    manager.close();
    assertThat(news).isEmpty();
  }

  /** main must not return, and end the process, while another thread is in the middle of a stop. */
  @Test
  void waitsForTheStopThatAnotherThreadBegan() throws Exception {
    CountDownLatch stopping = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    add("slow", Phase.ALWAYS).onStop =
        limit -> {
          stopping.countDown();
          release.await();
          return false;
        };
    CompletableFuture<Boolean> run =
        CompletableFuture.supplyAsync(manager::run, task -> new Thread(task).start());
    Eventually.that(() -> assertThat(news).contains("start slow"));
    CompletableFuture<Boolean> stop =
        CompletableFuture.supplyAsync(manager::stop, task -> new Thread(task).start());
    stopping.await();
    assertThat(run).isNotDone();
    assertThat(stop).isNotDone();
    release.countDown();
    assertThat(stop.get(20, TimeUnit.SECONDS)).isFalse();
    assertThat(run.get(20, TimeUnit.SECONDS)).isFalse();
  }

  @Test
  void doesNotWaitForTheStopThatItIsIn() {
    AtomicReference<@Nullable Boolean> nested = new AtomicReference<>();
    add("nosy", Phase.ALWAYS).onStop =
        limit -> {
          nested.set(manager.stop());
          return true;
        };
    manager.start();
    assertThat(manager.stop()).isTrue();
    assertThat(nested.get()).isFalse();
  }

  /** As above, by the signal. */
  @Test
  void runsUntilASignalComes() throws Exception {
    add("part", Phase.ALWAYS);
    CompletableFuture<Boolean> run =
        CompletableFuture.supplyAsync(manager::run, task -> new Thread(task).start());
    Eventually.that(() -> assertThat(news).containsExactly("start part"));
    Class<?> signal = Class.forName("sun.misc.Signal");
    signal
        .getMethod("raise", signal)
        .invoke(null, signal.getConstructor(String.class).newInstance("TERM"));
    assertThat(run.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(news).containsExactly("start part", "stop part");
  }

  /** A name belongs to one component, until that is removed or could not be added. */
  @Test
  void keepsNamesApart() throws Exception {
    Part first = new Part("first", Phase.ALWAYS);
    manager.add("the part", first);
    assertThatThrownBy(() -> manager.add("the part", new Part("second", Phase.ALWAYS)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the part already exists: choose another name, or remove that component first");
    manager.start();
    assertThat(news).containsExactly("start first");
    assertThat(manager.remove(first)).isTrue();
    manager.add("the part", new Part("third", Phase.ALWAYS));
    assertThat(manager.stop()).isTrue();
    assertThat(news).containsExactly("start first", "stop first", "start third", "stop third");
    Part late = new Part("late", Phase.ALWAYS);
    assertThatThrownBy(() -> manager.add("late", late)).hasMessageContaining("has stopped");
    assertThatThrownBy(() -> manager.add("late", late)).hasMessageContaining("has stopped");
  }

  @Test
  void stopsWhenTheThreadThatRunsItIsInterrupted() throws Exception {
    add("part", Phase.ALWAYS);
    BlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();
    Thread runner =
        new Thread(
            () -> {
              manager.run();
              interrupted.add(Thread.currentThread().isInterrupted());
            });
    runner.start();
    Eventually.that(() -> assertThat(news).containsExactly("start part"));
    runner.interrupt();
    assertThat(interrupted.poll(20, TimeUnit.SECONDS)).isTrue();
    assertThat(news).containsExactly("start part", "stop part");
  }

  /** An interrupt in the middle of a stop must not leave threads behind. */
  @Test
  void stopsTheRestWhenItIsInterruptedMeanwhile() {
    List<Boolean> flags = new ArrayList<>();
    add("last", Phase.HTTP).onStop =
        limit -> {
          flags.add(Thread.currentThread().isInterrupted());
          return true;
        };
    add("first", Phase.LEADER).onStop =
        limit -> {
          if (flags.isEmpty()) {
            flags.add(true);
            throw new InterruptedException();
          }
          return true;
        };
    manager.start();
    assertThat(manager.stop()).isTrue();
    assertThat(Thread.interrupted()).as("who interrupted finds it noticed").isTrue();
    assertThat(flags).containsExactly(true, false);
    assertThat(news)
        .containsExactly("start last", "start first", "stop first", "stop first", "stop last");
  }

  /** The whole of it with an informer and a controller, which is what a stop must take down. */
  @Test
  void leavesNoThreadBehindAfterARunWithAController() throws Exception {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    server.put(Samples.json("Foo", "a"));
    ControllerBuilder.forType(Foo.class)
        .reconciler(
            (request, context) -> {
              seen.add(request.toString());
              return Result.done();
            })
        .register(manager);
    manager.start();
    Eventually.that(time, POLL, () -> assertThat(seen).contains("default/a"));
    assertThat(threads).anyMatch(Thread::isAlive);
    Thread.currentThread().interrupt();
    assertThat(manager.stop()).as("a stop is not cut short by an earlier interrupt").isTrue();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(threads).noneMatch(Thread::isAlive);
  }

  @Test
  void runsBesideAnother() throws Exception {
    FakeListerWatcher otherServer = new FakeListerWatcher();
    Manager other = settings().connector(client -> (type, scope) -> otherServer).build();
    server.put(Samples.json("Foo", "mine"));
    otherServer.put(Samples.json("Foo", "theirs"));
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    for (Manager each : List.of(manager, other)) {
      ControllerBuilder.forType(Foo.class)
          .reconciler(
              (request, context) -> {
                seen.add((each == manager ? "mine" : "theirs") + " " + request.name());
                return Result.done();
              })
          .register(each);
      each.start();
    }
    Eventually.that(time, POLL, () -> assertThat(seen).contains("mine mine", "theirs theirs"));
    assertThat(other.stop()).isTrue();
    otherServer.assertNothingOpen();
    server.put(Samples.json("Foo", "still"));
    Eventually.that(() -> assertThat(seen).contains("mine still"));
  }

  @Test
  void closesTheClientThatItMade() {
    manager.close();
    assertThat(isClosed(manager.kubernetesClient())).isTrue();
  }

  /** And the retries of the client, which fabric8 would do for creations as well, are off. */
  @Test
  void leavesTheClientOpenThatItWasGiven() {
    try (Http http = new Http();
        KubernetesClient given = http.newClient()) {
      given.getConfiguration().setRequestRetryBackoffLimit(7);
      http.fail("GET /api/v1/namespaces", 503);
      Manager borrowing = settings().client(given).build();
      assertThatThrownBy(() -> borrowing.kubernetesClient().namespaces().list())
          .hasMessageContaining("503");
      assertThat(http.lines()).hasSize(1);
      borrowing.start();
      borrowing.close();
      assertThat(isClosed(given)).isFalse();
      http.answer(
          "GET /api/v1/nodes", "{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"items\":[]}");
      assertThat(given.nodes().list().getItems()).isEmpty();
      assertThat(given.getConfiguration().getRequestRetryBackoffLimit()).isEqualTo(7);
    }
  }

  private static boolean isClosed(KubernetesClient client) {
    return client.getHttpClient().isClosed();
  }

  @Test
  void startsOneThreadPerComponentThatRecordsEvents() {
    manager.eventRecorder("silent");
    for (String component : List.of("a", "a", "b")) {
      manager.eventRecorder(component).normal(Samples.foo("foo"), "Some", "thing");
    }
    assertThat(threads)
        .extracting(Thread::getName)
        .filteredOn(name -> name.startsWith("events-"))
        .containsExactly("events-a", "events-b");
  }

  /** A recorder that is asked for too late swallows what it is told, without a thread. */
  @Test
  void handsOutASilentRecorderAfterAStop() {
    manager.stop();
    manager.eventRecorder("late").normal(Samples.foo("foo"), "Late", "too late");
    assertThat(threads).noneMatch(Thread::isAlive);
  }

  @Test
  void stopsWithinATimeoutOfForEver() {
    Manager patient = settings().stopTimeout(Duration.ofSeconds(Long.MAX_VALUE)).build();
    List<Duration> limits = new CopyOnWriteArrayList<>();
    patient.add(
        new ManagedComponent() {
          @Override
          public Phase phase() {
            return Phase.ALWAYS;
          }

          @Override
          public void start() {}

          @Override
          public boolean stop(Duration limit) {
            return limits.add(limit);
          }
        });
    patient.start();
    assertThat(patient.stop()).isTrue();
    assertThat(limits).singleElement().satisfies(limit -> assertThat(limit).isPositive());
  }
}
