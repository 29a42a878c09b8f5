// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.running.SourceRunner;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.scheduling.Loop;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The controller as a whole, on its own threads. */
@Timeout(60)
final class ControllerTest extends ControllerHarness {

  @AutoClose private final Logs logs = Logs.of(Controller.class);

  @Test
  void reconcilesNothingBeforeEverySourceHasSynced() throws Exception {
    first.synced = false;
    second.synced = false;
    controller.start();
    first.add("early");
    for (int i = 0; i < 10; i++) {
      awaitLooked();
      time.advance(SourceRunner.SYNC_POLL);
      if (i == 5) {
        first.synced = true;
      }
    }
    awaitLooked();
    assertThat(SourceRunner.SYNC_POLL).hasMillis(100);
    assertThat(controller.isReady()).isFalse();
    Eventually.that(() -> assertThat(controller.queueLength()).isEqualTo(1));
    assertThat(seen).isEmpty();
    second.synced = true;
    awaitReady();
    assertThat(next()).isEqualTo(new Seen("early", "foo-worker-1"));
  }

  @Test
  void worksWithAsManyNamedWorkersAsAskedFor() throws Exception {
    controller = controller(3, this::stay);
    controller.start();
    for (String name : List.of("a", "b", "c", "d")) {
      first.add(name);
    }
    assertThat(List.of(next().thread(), next().thread(), next().thread()))
        .containsExactlyInAnyOrder("foo-worker-1", "foo-worker-2", "foo-worker-3");
    assertThat(controller.queueLength()).as("all are busy, and one request waits").isEqualTo(1);
    assertThat(threads)
        .extracting(Thread::getName)
        .containsExactlyInAnyOrder(
            "foo-starter",
            "foo-source-1",
            "foo-source-2",
            "foo-worker-1",
            "foo-worker-2",
            "foo-worker-3");
    assertThat(threads).allMatch(Thread::isDaemon);
  }

  @Test
  void startsTheWorkersThatAreMissing() {
    AtomicBoolean refused = new AtomicBoolean();
    AtomicInteger made = new AtomicInteger();
    controller =
        controller(
            3,
            this::see,
            refusing(() -> made.getAndIncrement() == 5 && refused.compareAndSet(false, true)));
    startUntilReady();
    first.add("a");
    Eventually.that(
        time,
        Loop.AFTER_FAILURE,
        () ->
            assertThat(threads)
                .filteredOn(Thread::isAlive)
                .extracting(Thread::getName)
                .endsWith("foo-worker-1", "foo-worker-2", "foo-worker-3"));
    assertThat(refused).isTrue();
  }

  /** A logger that fails does not end a loop. */
  @Test
  void startsItsWorkersThoughNothingCanBeLogged() {
    AtomicBoolean refused = new AtomicBoolean();
    AtomicInteger made = new AtomicInteger();
    controller =
        controller(
            1,
            this::see,
            refusing(() -> made.incrementAndGet() == 4 && refused.compareAndSet(false, true)));
    try (Logs logs = Logs.failing(Loop.class)) {
      controller.start();
      first.add("a");
      Eventually.that(time, Loop.AFTER_FAILURE, () -> assertThat(seen).hasSize(1));
      assertThat(logs.messages()).hasSize(1);
    }
    assertThat(refused).isTrue();
  }

  @Test
  void logsItsLifeInOrder() throws Exception {
    startUntilReady();
    Eventually.that(() -> assertThat(logs.messages()).hasSize(4));
    controller.stop(LIMIT);
    assertThat(logs.lines())
        .containsExactly(
            "INFO Starting Foo controller",
            "INFO Waiting for informer caches to sync",
            "INFO Starting workers",
            "INFO Started workers",
            "INFO Shutting down workers");
  }

  @Test
  void neverReconcilesOneKeyTwiceAtATime() throws Exception {
    Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger total = new AtomicInteger();
    controller =
        controller(
            List.of(first, second),
            ControllerOptions.defaults()
                .with(o -> o.maxConcurrentReconciles = 2)
                .with(o -> o.loopDetection = false), // since it runs in a loop
            (request, context) -> {
              AtomicInteger now = running.computeIfAbsent(request.name(), n -> new AtomicInteger());
              most.accumulateAndGet(now.incrementAndGet(), Math::max);
              first.add(request.name()); // as the echo of its own write would
              Thread.onSpinWait();
              now.decrementAndGet();
              if (total.incrementAndGet() == 2_000) {
                seen.add(new Seen("enough", ""));
              }
              return Result.done();
            });
    controller.start();
    first.add("a");
    first.add("b");
    while (seen.isEmpty()) {
      first.add("a");
      second.add("a");
      second.add("b");
    }
    assertThat(controller.stop(LIMIT)).isTrue();
    assertThat(most).hasValue(1);
  }

  @Test
  void waitsAtAStopForWhatRuns() throws Exception {
    controller = controller(1, this::stay);
    controller.start();
    first.add("running");
    first.add("waiting");
    assertThat(next().name()).isEqualTo("running");
    CompletableFuture<Boolean> stopped =
        CompletableFuture.supplyAsync(() -> stop(LIMIT), task -> new Thread(task).start());
    Eventually.that(() -> assertThat(first.running).hasValue(0));
    assertThat(stopped).isNotDone();
    assertThat(controller.isReady()).isFalse();
    release.countDown();
    assertThat(stopped.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(seen).as("the request that waited").isEmpty();
    assertThat(threads).noneMatch(Thread::isAlive);
  }

  @Test
  void interruptsWhatOutlastsTheLimitOfAStop() throws Exception {
    controller = controller(2, this::stay);
    controller.start();
    first.add("a");
    first.add("b");
    next();
    next();
    controller.stop(SHORT);
    Eventually.that(() -> assertThat(threads).noneMatch(Thread::isAlive));
    assertThat(logs.lines())
        .contains("INFO foo: the reconcile of 'default/a' was interrupted by the stop")
        .filteredOn(line -> line.startsWith("WARN foo: Interrupted reconcile "))
        .as("each of them once")
        .hasSize(2);
  }

  @Test
  void stopsBeforeItsSourcesHaveSynced() throws Exception {
    first.synced = false;
    controller.start();
    awaitLooked();
    assertThat(controller.stop(LIMIT)).isTrue();
    first.synced = true;
    time.advance(SourceRunner.SYNC_POLL);
    assertThat(threads).noneMatch(Thread::isAlive);
    assertThat(first.running).hasValue(0);
  }

  @Test
  void stopsAgainAndWithoutAStart() throws Exception {
    assertThat(controller.stop(LIMIT)).isTrue();
    assertThat(controller.stop(LIMIT)).isTrue();
    assertThatThrownBy(controller::start)
        .hasMessage("controller foo has stopped; register it with another manager");
    assertThat(controller.stop(LIMIT)).isTrue();
    assertThat(first.starts).hasValue(0);
    assertThat(controller.isReady()).isFalse();
    assertThat(controller.queueLength()).isZero();
  }

  /** Never may be written as a very long time. */
  @Test
  void stopsWithinALimitOfForEver() throws Exception {
    controller.start();
    assertThat(controller.stop(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
  }

  @Test
  void beginsAnotherTermAfterALoss() throws Exception {
    startWithA();
    assertThat(controller.standDown(LIMIT)).isTrue();
    assertThat(controller.isReady()).isFalse();
    first.add("b");
    assertThat(controller.queueLength()).as("it is kept").isZero();
    controller.start();
    assertThat(next()).isEqualTo(new Seen("b", "foo-worker-1"));
    assertThat(first.starts).hasValue(1);
    assertThat(first.running).hasValue(1);
  }

  @Test
  void keepsARequestForAnObjectWhoseReconcileOutlastsTheTerm() throws Exception {
    controller = controller(1, this::stayStubbornly);
    startWithA();
    assertThat(controller.standDown(SHORT)).isFalse();
    assertThat(next().name()).isEqualTo("interrupted");
    first.add("a");
    release.countDown();
    assertThat(controller.standDown(LIMIT)).isTrue();
    controller.start();
    assertThat(next().name()).isEqualTo("a");
  }

  @Test
  void waitsForReconcilesOfTheTermBefore() throws Exception {
    controller = controller(1, this::stayStubbornly);
    startWithA();
    assertThat(controller.standDown(SHORT)).isFalse();
    assertThat(next().name()).isEqualTo("interrupted");
    controller.start();
    first.add("a");
    for (int i = 0; i < 5; i++) {
      awaitLooked();
      time.advance(SourceRunner.SYNC_POLL);
    }
    awaitLooked();
    assertThat(controller.isReady()).isFalse();
    assertThat(seen).isEmpty();
    release.countDown();
    Eventually.that(
        () -> {
          time.advance(SourceRunner.SYNC_POLL);
          assertThat(seen).isNotEmpty();
        });
    assertThat(next().name()).isEqualTo("a");
  }

  @Test
  void stopsTheRestWhenASourceFailsToStop() throws Exception {
    first.failsToStop = true;
    startUntilReady();
    assertThat(controller.stop(LIMIT)).isTrue();
    assertThat(second.running).hasValue(0);
    assertThat(threads).noneMatch(Thread::isAlive);
  }

  /** It can't wait for itself. */
  @Test
  void isStoppedByItsOwnReconcilerWithoutWaiting() throws Exception {
    BlockingQueue<Boolean> ended = new LinkedBlockingQueue<>();
    controller =
        controller(
            1,
            (request, context) -> {
              ended.add(controller.stop(Duration.ofDays(1)));
              return Result.done();
            });
    controller.start();
    first.add("a");
    assertThat(ended.poll(20, TimeUnit.SECONDS)).isFalse();
    Eventually.that(() -> assertThat(threads).noneMatch(Thread::isAlive));
  }

  @Test
  void tellsWhatIsRunning() throws Exception {
    controller = controller(1, this::stay);
    controller.start();
    assertThat(controller.running()).isEmpty();
    first.add("a");
    assertThat(next().name()).isEqualTo("a");
    time.advance(Duration.ofSeconds(7));
    assertThat(controller.running())
        .singleElement()
        .satisfies(
            running -> {
              assertThat(running.request().name()).isEqualTo("a");
              assertThat(running.elapsed()).isEqualTo(Duration.ofSeconds(7));
              assertThat(running.timedOut() || running.stuck()).isFalse();
              assertThat(running.reconcileId()).hasSize(36);
            });
    release.countDown();
    Eventually.that(() -> assertThat(controller.running()).isEmpty());
  }

  /** Virtual threads need no code of ours; on JDK 17 there are none, and the test has nothing. */
  @Test
  void worksWithAThousandVirtualThreads() throws Exception {
    Optional<ThreadFactory> virtual = virtualThreads();
    org.junit.jupiter.api.Assumptions.assumeTrue(virtual.isPresent(), "no virtual threads here");
    int many = 1_000;
    CountDownLatch all = new CountDownLatch(many);
    controller =
        controller(
            List.of(first),
            ControllerOptions.defaults()
                .with(o -> o.maxConcurrentReconciles = many)
                .with(o -> o.threads = virtual.orElseThrow()),
            (request, context) -> {
              all.countDown();
              release.await();
              return Result.done();
            });
    controller.start();
    for (int i = 0; i < many; i++) {
      first.add("key-" + i);
    }
    assertThat(all.await(20, TimeUnit.SECONDS)).as("all of them at the same time").isTrue();
    assertThat(controller.running()).hasSize(many);
    release.countDown();
    assertThat(controller.stop(LIMIT)).isTrue();
  }

  private static Optional<ThreadFactory> virtualThreads() {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Class<?> type = Class.forName("java.lang.Thread$Builder");
      return Optional.of((ThreadFactory) type.getMethod("factory").invoke(builder));
    } catch (ReflectiveOperationException e) {
      return Optional.empty();
    }
  }

  @Test
  void beginsAnotherTermAfterALossThatWasInterrupted() throws Exception {
    controller = controller(1, this::stay); // so that there is something to wait for
    startWithA();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> controller.standDown(LIMIT)).isInstanceOf(InterruptedException.class);
    assertThat(controller.isReady()).isFalse();
    release.countDown();
    controller.start();
    first.add("b");
    Eventually.that(time, SourceRunner.SYNC_POLL, () -> assertThat(seen).isNotEmpty());
    assertThat(next().name()).isEqualTo("b");
  }
}
