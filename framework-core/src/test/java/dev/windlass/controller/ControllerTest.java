// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.testing.core.Eventually;
import dev.windlass.testing.core.Logs;
import dev.windlass.testing.time.ManualScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The controller as a whole, on its own threads. */
@Timeout(60)
final class ControllerTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(20);

  private record Seen(String name, String thread) {}

  private final ManualScheduler time = new ManualScheduler();
  private final FakeSource first = new FakeSource();
  private final FakeSource second = new FakeSource();
  private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final CountDownLatch release = new CountDownLatch(1);
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private Controller controller = controller(1, this::see, Thread::new);

  @AfterEach
  void leavesNoThreadBehind() throws InterruptedException {
    release.countDown();
    controller.stop(LIMIT);
    for (Thread thread : threads) {
      thread.join(LIMIT.toMillis());
      assertThat(thread.isAlive()).as(thread.getName()).isFalse();
    }
  }

  private Controller controller(int workers, Reconciler reconciler, ThreadFactory factory) {
    return controller(List.of(first, second), workers, reconciler, factory);
  }

  private Controller controller(
      List<Source> sources, int workers, Reconciler reconciler, ThreadFactory factory) {
    return controller(
        sources,
        ControllerOptions.defaults().withMaxConcurrentReconciles(workers),
        reconciler,
        factory);
  }

  private Controller controller(
      List<Source> sources,
      ControllerOptions options,
      Reconciler reconciler,
      ThreadFactory factory) {
    return new Controller(
        Controllers.config(
            "foo",
            sources,
            reconciler,
            options,
            ControllerListener.NONE,
            failures::add,
            time,
            task -> {
              Thread thread = factory.newThread(task);
              threads.add(thread);
              return thread;
            }));
  }

  private Result see(Request request, Object context) {
    seen.add(new Seen(request.name(), Thread.currentThread().getName()));
    return Result.done();
  }

  /** Sees, and stays until the test ends or the stop interrupts. */
  private Result stay(Request request, Object context) throws InterruptedException {
    see(request, context);
    release.await();
    return Result.done();
  }

  /** Sees, and stays until the test ends whoever interrupts. */
  private Result stayStubbornly(Request request, Object context) {
    see(request, context);
    boolean released = false;
    while (!released) {
      try {
        release.await();
        released = true;
      } catch (InterruptedException e) {
        seen.add(new Seen("interrupted", Thread.currentThread().getName()));
      }
    }
    return Result.done();
  }

  private Seen next() throws InterruptedException {
    Seen next = seen.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    return next == null ? new Seen("nothing in time", "") : next;
  }

  private void awaitReady() {
    Eventually.that(
        () -> {
          time.advance(Controller.SYNC_POLL);
          assertThat(controller.isReady()).isTrue();
        });
  }

  /** Waits until the starter has looked and rests. */
  private void awaitLooked() {
    Eventually.that(() -> assertThat(time.pending()).isNotEmpty());
  }

  /** P4, 001-49: not one reconcile before every source has synced. */
  @Test
  void reconcilesNothingBeforeEverySourceHasSynced() throws Exception {
    first.synced = false;
    second.synced = false;
    controller.start();
    first.add("early");
    for (int i = 0; i < 10; i++) {
      awaitLooked();
      time.advance(Controller.SYNC_POLL);
      if (i == 5) {
        first.synced = true;
      }
    }
    awaitLooked();
    assertThat(controller.isReady()).isFalse();
    Eventually.that(() -> assertThat(controller.queueLength()).isEqualTo(1));
    assertThat(seen).isEmpty();
    second.synced = true;
    time.advance(Controller.SYNC_POLL);
    assertThat(next()).isEqualTo(new Seen("early", "foo-worker-1"));
    Eventually.that(() -> assertThat(controller.isReady()).isTrue());
  }

  /** P5: it waits for as long as it takes, and says for what. */
  @Test
  void namesTheSourcesThatKeepItWaiting() {
    assertThat(controller.trouble()).as("before the start").isEmpty();
    first.synced = false;
    first.trouble = Optional.of("foos: 403");
    second.trouble = Optional.of("deployments: 404");
    controller.start();
    Eventually.that(() -> assertThat(controller.trouble()).contains("foos: 403; deployments: 404"));
    first.trouble = Optional.empty();
    second.trouble = Optional.empty();
    assertThat(controller.trouble()).isEmpty();
    first.synced = true;
    awaitReady();
  }

  /** 001-22, 003-08: as many workers as asked for, named after the controller. */
  @Test
  void worksWithAsManyNamedWorkersAsAskedFor() throws Exception {
    controller = controller(3, this::stay, Thread::new);
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

  /** A thread that can't be made is tried again, and those that could are not made twice. */
  @Test
  void startsTheWorkersThatAreMissing() {
    AtomicBoolean refused = new AtomicBoolean();
    AtomicInteger made = new AtomicInteger();
    controller =
        controller(
            3,
            this::see,
            task -> {
              if (made.get() == 5 && refused.compareAndSet(false, true)) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              made.incrementAndGet();
              return new Thread(task);
            });
    controller.start();
    awaitReady();
    assertThat(refused).isTrue();
    assertThat(threads)
        .extracting(Thread::getName)
        .endsWith("foo-worker-1", "foo-worker-2", "foo-worker-3");
  }

  /** 001-50. */
  @Test
  void logsItsLifeInOrder() throws Exception {
    try (Logs logs = Logs.of(Controller.class)) {
      controller.start();
      awaitReady();
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
  }

  /** P3, 001-24, 003-09: however often a key is added, one worker at most has it. */
  @Test
  void neverReconcilesOneKeyTwiceAtATime() throws Exception {
    Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger total = new AtomicInteger();
    controller =
        controller(
            List.of(first, second),
            ControllerOptions.defaults()
                .withMaxConcurrentReconciles(2)
                .withLoopDetection(false), // for it runs in circles
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
            },
            Thread::new);
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

  /** 003-10, 001-102: what runs may end, and nothing begins. */
  @Test
  void waitsAtAStopForWhatRuns() throws Exception {
    controller = controller(1, this::stay, Thread::new);
    controller.start();
    first.add("running");
    first.add("waiting");
    assertThat(next().name()).isEqualTo("running");
    CompletableFuture<Boolean> stopped =
        CompletableFuture.supplyAsync(() -> stop(LIMIT), task -> new Thread(task).start());
    Eventually.that(() -> assertThat(first.running).hasValue(0));
    assertThat(stopped).isNotDone();
    release.countDown();
    assertThat(stopped.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(seen).as("the request that waited").isEmpty();
    assertThat(threads).noneMatch(Thread::isAlive);
  }

  private boolean stop(Duration limit) {
    try {
      return controller.stop(limit);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** P9. */
  @Test
  void interruptsWhatOutlastsTheLimitOfAStop() throws Exception {
    controller = controller(2, this::stay, Thread::new);
    controller.start();
    first.add("a");
    first.add("b");
    next();
    next();
    try (Logs logs = Logs.of(Controller.class)) {
      controller.stop(SHORT);
      Eventually.that(() -> assertThat(threads).noneMatch(Thread::isAlive));
      assertThat(logs.lines())
          .contains(
              "WARN foo-worker-1 did not end in time and is interrupted",
              "INFO foo: the reconcile of 'default/a' was interrupted by the stop");
    }
  }

  @Test
  void stopsBeforeItsSourcesHaveSynced() throws Exception {
    first.synced = false;
    controller.start();
    awaitLooked();
    assertThat(controller.stop(LIMIT)).isTrue();
    first.synced = true;
    time.advance(Controller.SYNC_POLL);
    assertThat(threads).hasSize(3).noneMatch(Thread::isAlive);
    assertThat(first.running).hasValue(0);
  }

  @Test
  void stopsAgainAndWithoutAStart() throws Exception {
    assertThat(controller.stop(LIMIT)).isTrue();
    controller.start();
    assertThat(controller.stop(LIMIT)).isTrue();
    assertThat(controller.stop(LIMIT)).isTrue();
    assertThat(first.running).hasValue(0);
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
  void startsAgainAfterAStop() throws Exception {
    controller.start();
    first.add("a");
    assertThat(next().name()).isEqualTo("a");
    assertThat(controller.stop(LIMIT)).isTrue();
    controller.start();
    first.add("b");
    assertThat(next()).isEqualTo(new Seen("b", "foo-worker-1"));
    assertThat(first.starts).hasValue(2);
    assertThat(first.running).hasValue(1);
  }

  @Test
  void refusesToStartWhileItRuns() {
    controller.start();
    assertThatThrownBy(controller::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("controller foo is running already");
    assertThat(first.starts).hasValue(1);
  }

  /** P3: a reconcile that a stop could not end still holds its key when the next run comes. */
  @Test
  void waitsAfterAStartForReconcilesOfTheRunBefore() throws Exception {
    controller = controller(1, this::stayStubbornly, Thread::new);
    controller.start();
    first.add("a");
    assertThat(next().name()).isEqualTo("a");
    assertThat(controller.stop(SHORT)).isFalse();
    assertThat(next().name()).isEqualTo("interrupted");
    controller.start();
    first.add("a");
    for (int i = 0; i < 5; i++) {
      awaitLooked();
      time.advance(Controller.SYNC_POLL);
    }
    awaitLooked();
    assertThat(controller.isReady()).isFalse();
    assertThat(seen).isEmpty();
    release.countDown();
    Eventually.that(
        () -> {
          time.advance(Controller.SYNC_POLL);
          assertThat(seen).isNotEmpty();
        });
    assertThat(next().name()).isEqualTo("a");
  }

  /** A source that can't stop must not keep the others, or the workers, alive. */
  @Test
  void stopsTheRestWhenASourceFailsToStop() throws Exception {
    first.failsToStop = true;
    controller.start();
    awaitReady();
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
            },
            Thread::new);
    controller.start();
    first.add("a");
    assertThat(ended.poll(20, TimeUnit.SECONDS)).isFalse();
    Eventually.that(() -> assertThat(threads).noneMatch(Thread::isAlive));
  }

  @Test
  void isPrintedByItsName() {
    assertThat(controller).hasToString("controller foo");
    assertThat(controller.name()).isEqualTo("foo");
  }

  private static Source failing(int times, FakeSource then) {
    AtomicInteger left = new AtomicInteger(times);
    return new Source() {
      @Override
      public Running start(PrioritySink sink) {
        if (left.getAndDecrement() > 0) {
          throw new IllegalStateException("no such type");
        }
        return then.start(sink);
      }

      @Override
      public String toString() {
        return "the source of foos";
      }
    };
  }

  /** P5, go-anchors ask 13: a missing CRD is no reason to give up, nor to be silent. */
  @Test
  void triesAgainToStartASourceThatFails() throws Exception {
    controller = controller(List.of(first, failing(2, second)), 1, this::see, Thread::new);
    try (Logs logs = Logs.of(Controller.class)) {
      controller.start();
      Eventually.that(
          () ->
              assertThat(controller.trouble())
                  .contains(
                      "the source of foos could not be started:"
                          + " java.lang.IllegalStateException: no such type"));
      Eventually.that(() -> assertThat(first.starts).as("the others are not affected").hasValue(1));
      first.add("a");
      awaitReady();
      assertThat(controller.trouble()).isEmpty();
      assertThat(logs.lines())
          .filteredOn(line -> line.contains("could not be started"))
          .hasSize(2)
          .allMatch(line -> line.startsWith("WARN foo: the source of foos could"));
    }
    assertThat(next().name()).isEqualTo("a");
  }

  /** Conformance 59: it delays the workers, but neither the other sources nor the stop. */
  @Test
  void namesASourceWhoseStartDoesNotReturn() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    Source blocking =
        sink -> {
          entered.countDown();
          await(release);
          return second.start(sink);
        };
    controller = controller(List.of(blocking, first), 1, this::see, Thread::new);
    controller.start();
    await(entered);
    Eventually.that(() -> assertThat(first.starts).hasValue(1));
    time.advance(ControllerOptions.defaults().syncTimeout());
    assertThat(controller.trouble().orElseThrow())
        .startsWith("the start of ")
        .endsWith(" has not returned");
    assertThat(controller.isReady()).isFalse();
    assertThat(controller.stop(SHORT)).as("its thread is still there").isFalse();
    release.countDown();
    Eventually.that(() -> assertThat(second.starts).hasValue(1));
    Eventually.that(() -> assertThat(second.running).as("too late, and so stopped").hasValue(0));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** P5: red with the cause and one warning after two minutes; and it goes on trying. */
  @Test
  void warnsOnceOfASourceThatDoesNotSync() throws Exception {
    first.synced = false;
    first.trouble = Optional.of("foos: 403");
    try (Logs logs = Logs.of(Controller.class)) {
      controller.start();
      Eventually.that(
          time,
          Controller.SYNC_POLL,
          () -> assertThat(logs.lines()).anyMatch(line -> line.startsWith("WARN")));
      assertThat(time.nanoTime()).isGreaterThanOrEqualTo(Duration.ofMinutes(2).toNanos());
      for (int i = 0; i < 10; i++) {
        awaitLooked();
        time.advance(Controller.SYNC_POLL);
      }
      assertThat(logs.lines())
          .filteredOn(line -> line.startsWith("WARN"))
          .singleElement()
          .asString()
          .contains("has not synced for 120 s, and no worker starts before it has: foos: 403");
    }
    first.synced = true;
    first.trouble = Optional.empty();
    awaitReady();
    assertThat(controller.trouble()).isEmpty();
  }

  /** Conformance 59: on request it is the end. */
  @Test
  void failsIfSourcesDoNotSyncInTimeAndItWasToldTo() {
    first.synced = false;
    first.trouble = Optional.of("foos: 403");
    controller =
        controller(
            List.of(first, second),
            ControllerOptions.defaults().withSyncTimeout(Duration.ofSeconds(10), true),
            this::see,
            Thread::new);
    controller.start();
    Eventually.that(time, Controller.SYNC_POLL, () -> assertThat(failures).isNotEmpty());
    assertThat(failures)
        .singleElement()
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.THROWABLE)
        .hasMessage("foo: its sources have not synced in time: foos: 403");
  }

  /** Conformance 60. */
  @Test
  void fillsItsQueueBeforeItMayWork() throws Exception {
    controller.warmUp();
    controller.warmUp();
    first.add("a");
    Eventually.that(() -> assertThat(controller.queueLength()).isEqualTo(1));
    Eventually.that(() -> assertThat(controller.hasSynced()).isTrue());
    for (int i = 0; i < 3; i++) {
      time.advance(Controller.SYNC_POLL);
    }
    assertThat(controller.isReady()).isFalse();
    assertThat(seen).isEmpty();
    controller.start();
    assertThat(next()).isEqualTo(new Seen("a", "foo-worker-1"));
    assertThat(first.starts).hasValue(1);
    assertThatThrownBy(controller::start).hasMessage("controller foo is running already");
  }

  @Test
  void stopsAfterAWarmUp() throws Exception {
    controller.warmUp();
    assertThat(controller.stop(LIMIT)).isTrue();
    assertThat(first.running).hasValue(0);
    assertThat(threads).noneMatch(Thread::isAlive);
  }

  /** P4, go-anchors asks 6: one that comes later delays nobody, and goes when it is told to. */
  @Test
  void watchesMoreAndLessWhileItRuns() throws Exception {
    controller.start();
    awaitReady();
    FakeSource third = new FakeSource();
    third.synced = false;
    WatchHandle handle = controller.watch(third);
    third.add("a");
    assertThat(next().name()).isEqualTo("a");
    assertThat(handle.hasSynced()).isFalse();
    third.trouble = Optional.of("bars: 404");
    Eventually.that(() -> assertThat(handle.trouble()).contains("bars: 404"));
    assertThat(controller.trouble()).contains("bars: 404");
    first.add("b");
    assertThat(next().name()).isEqualTo("b");
    third.synced = true;
    Eventually.that(time, Controller.SYNC_POLL, () -> assertThat(handle.hasSynced()).isTrue());
    handle.close();
    handle.close();
    assertThat(third.running).hasValue(0);
    assertThat(handle.hasSynced()).isFalse();
    assertThat(controller.trouble()).isEmpty();
    first.add("c");
    assertThat(next().name()).isEqualTo("c");
  }

  @Test
  void keepsASourceThatWasAddedOverAStopAndAStart() throws Exception {
    FakeSource third = new FakeSource();
    third.synced = false;
    WatchHandle handle = controller.watch(third);
    assertThat(third.starts).as("not before the controller").hasValue(0);
    controller.start();
    awaitReady();
    Eventually.that(() -> assertThat(third.starts).hasValue(1));
    assertThat(controller.stop(LIMIT)).isTrue();
    assertThat(third.running).hasValue(0);
    controller.start();
    Eventually.that(() -> assertThat(third.running).hasValue(1));
    assertThat(controller.stop(LIMIT)).isTrue();
    handle.close();
    controller.start();
    awaitReady();
    assertThat(third.starts).hasValue(2);
  }

  /** For diagnosis: what runs, and for how long. */
  @Test
  void tellsWhatIsRunning() throws Exception {
    controller = controller(1, this::stay, Thread::new);
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
                .withMaxConcurrentReconciles(many)
                .withThreads(virtual.orElseThrow()),
            (request, context) -> {
              all.countDown();
              release.await();
              return Result.done();
            },
            Thread::new);
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
}
