// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.running.SourceRunner;
import dev.windlass.controller.settings.ControllerConfigs;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.controller.settings.LeadershipRequirement;
import dev.windlass.leader.Fence;
import dev.windlass.manager.Phase;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a controller does about its sources: those from the start, and those that come and go. */
@Timeout(60)
final class ControllerSourcesTest extends ControllerHarness {

  @AutoClose private final Logs logs = Logs.of(Controller.class);

  @Test
  void namesTheSourcesThatKeepItWaiting() {
    assertThat(controller.problem()).as("before the start").isEmpty();
    first.synced = false;
    first.problem = Optional.of("foos: 403");
    second.problem = Optional.of("deployments: 404");
    controller.start();
    Eventually.that(() -> assertThat(controller.problem()).contains("foos: 403; deployments: 404"));
    first.problem = Optional.empty();
    second.problem = Optional.empty();
    assertThat(controller.problem()).isEmpty();
    first.synced = true;
    awaitReady();
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

  /** Where a cache of controller-runtime that does not sync within two minutes ends the manager. */
  @Test
  void triesAgainToStartASourceThatFails() throws Exception {
    controller = controller(List.of(first, failing(2, second)), 1, this::see, Thread::new);
    controller.start();
    Eventually.that(
        () ->
            assertThat(controller.problem())
                .contains(
                    "the source of foos could not be started:"
                        + " java.lang.IllegalStateException: no such type"));
    Eventually.that(() -> assertThat(first.starts).as("the others are not affected").hasValue(1));
    first.add("a");
    awaitReady();
    assertThat(controller.problem()).isEmpty();
    assertThat(logs.lines())
        .filteredOn(line -> line.contains("Failed to start"))
        .hasSize(2)
        .allMatch(line -> line.startsWith("WARN foo: Failed to start the source of foos: "));
    assertThat(next().name()).isEqualTo("a");
  }

  /** It delays the workers, but neither the other sources nor the stop. */
  @Test
  void namesASourceWhoseStartDoesNotReturn() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    Source blocking =
        sink -> {
          entered.countDown();
          Eventually.await(release);
          return second.start(sink);
        };
    controller = controller(List.of(blocking, first), 1, this::see, Thread::new);
    controller.start();
    Eventually.await(entered);
    Eventually.that(() -> assertThat(first.starts).hasValue(1));
    time.advance(ControllerOptions.defaults().syncTimeout);
    Eventually.that( // the other source may just have been asked whether it has synced
        () ->
            assertThat(controller.problem().orElseThrow())
                .startsWith("the start of ")
                .endsWith(" has not returned"));
    assertThat(controller.isReady()).isFalse();
    assertThat(controller.stop(SHORT)).as("its thread is still there").isFalse();
    release.countDown();
    Eventually.that(() -> assertThat(second.starts).hasValue(1));
    Eventually.that(() -> assertThat(second.running).as("too late, and so stopped").hasValue(0));
  }

  /** After two minutes, the health check fails and one warning is logged; retries continue. */
  @Test
  void warnsOnceOfASourceThatDoesNotSync() throws Exception {
    first.synced = false;
    first.problem = Optional.of("foos: 403");
    controller.start();
    Eventually.that(
        time,
        SourceRunner.SYNC_POLL,
        () -> assertThat(logs.lines()).anyMatch(line -> line.startsWith("WARN")));
    assertThat(time.nanoTime()).isGreaterThanOrEqualTo(Duration.ofMinutes(2).toNanos());
    for (int i = 0; i < 10; i++) {
      awaitLooked();
      time.advance(SourceRunner.SYNC_POLL);
    }
    assertThat(logs.lines())
        .filteredOn(line -> line.startsWith("WARN"))
        .singleElement()
        .asString()
        .contains("has not synced after 120 s; workers wait for it: foos: 403");
    first.synced = true;
    first.problem = Optional.empty();
    awaitReady();
    assertThat(controller.problem()).isEmpty();
  }

  @Test
  void failsOnASyncTimeoutIfConfigured() {
    first.synced = false;
    first.problem = Optional.of("foos: 403");
    controller =
        controller(
            List.of(first, second),
            ControllerOptions.defaults()
                .with(o -> o.syncTimeout = Duration.ofSeconds(10))
                .with(o -> o.failOnSyncTimeout = true),
            this::see,
            Thread::new);
    controller.start();
    Eventually.that(time, SourceRunner.SYNC_POLL, () -> assertThat(failures).isNotEmpty());
    assertThat(failures)
        .singleElement()
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.THROWABLE)
        .hasMessage("foo: its sources have not synced in time: foos: 403");
  }

  /** Requests of sources that can't be recomputed wait outside of the queue, one per object. */
  @Test
  void keepsWhatItIsAskedForUntilItMayWork() throws Exception {
    controller.warmUp();
    controller.warmUp();
    for (int i = 0; i < 3; i++) {
      first.add("a");
      first.add("b");
    }
    Eventually.that(() -> assertThat(controller.hasSynced()).isTrue());
    for (Thread thread : threads) {
      if (!thread.getName().equals("foo-starter")) {
        thread.join(LIMIT.toMillis()); // it has woken the starter by then
      }
    }
    for (int i = 0; i < 3; i++) {
      time.advance(SourceRunner.SYNC_POLL);
      Eventually.that(() -> assertThat(threads.get(0).getState()).isEqualTo(Thread.State.WAITING));
    }
    assertThat(threads).extracting(Thread::getName).doesNotContain("foo-worker-1");
    assertThat(controller.queueLength()).isZero();
    assertThat(controller.run().keys().queue().delayed()).isZero();
    assertThat(controller.run().keys().queue().longestWait()).isZero();
    assertThat(controller.isReady()).isFalse();
    assertThat(seen).isEmpty();
    controller.start();
    assertThat(next()).isEqualTo(new Seen("a", "foo-worker-1"));
    assertThat(next()).isEqualTo(new Seen("b", "foo-worker-1"));
    first.add("c");
    assertThat(next().name()).isEqualTo("c");
    assertThat(first.starts).hasValue(1);
    assertThatThrownBy(controller::start).hasMessage("controller foo is already running");
  }

  /** A warm replica does not wait for the next full interval, and others poll as client-go does. */
  @Test
  void pollsSoonAfterTheStartAndThenEveryTenthOfASecond() {
    // A set, because the start may wake the thread once more at the time 0.
    Set<Long> polls = new ConcurrentSkipListSet<>();
    Source source =
        into ->
            new Source.Running() {
              @Override
              public boolean hasSynced() {
                polls.add(Duration.ofNanos(time.nanoTime()).toMillis());
                return polls.size() == 11;
              }

              @Override
              public void stop() {}
            };
    controller = controller(List.of(source), ControllerOptions.defaults(), this::see, Thread::new);
    controller.start();
    Eventually.that(() -> assertThat(polls).isNotEmpty());
    Eventually.that(
        () -> {
          List<Duration> waits = time.pending();
          // The starter rests; while it polls, the alarm of its wait for the start is still set.
          if (waits.size() == 1 && waits.get(0).compareTo(SourceRunner.SYNC_POLL) <= 0) {
            time.advance(waits.get(0));
          }
          assertThat(polls).hasSize(11);
        });
    assertThat(polls).containsExactly(0L, 1L, 2L, 4L, 8L, 16L, 32L, 64L, 100L, 200L, 300L);
  }

  /** A change of its sources does not make a standby work (docs/reliability.md, bug 27). */
  @Test
  void reconcilesNothingForASourceThatIsAddedOnAStandby() throws Exception {
    controller.warmUp();
    FakeSource third = new FakeSource();
    third.add("a");
    WatchHandle handle = controller.watch(third);
    Eventually.that(time, SourceRunner.SYNC_POLL, () -> assertThat(handle.hasSynced()).isTrue());
    assertThat(third.starts).hasValue(1);
    assertThat(controller.queueLength()).isZero();
    assertThat(seen).isEmpty();
    controller.start(); // throws if it works already
    assertThat(next().name()).isEqualTo("a");
  }

  /** A source that can be warmed up asks for nothing before the replica leads. */
  @Test
  void warmsUpWhatItStartsLater() throws Exception {
    first.warms = true;
    first.add("a");
    controller.warmUp();
    Eventually.that(() -> assertThat(controller.hasSynced()).isTrue());
    assertThat(first.warm).hasValue(1);
    assertThat(first.starts).hasValue(0);
    assertThat(second.starts).hasValue(1);
    first.synced = false; // its cache is, and what it asks for at its start is not all there yet
    controller.start();
    Eventually.that(() -> assertThat(first.starts).hasValue(1));
    for (int i = 0; i < 3; i++) {
      time.advance(SourceRunner.SYNC_POLL);
      awaitLooked();
    }
    assertThat(controller.isReady()).isFalse();
    assertThat(controller.hasSynced()).as("it was in sync before").isTrue();
    first.synced = true;
    awaitReady();
    assertThat(next().name()).isEqualTo("a");
    controller.standDown(LIMIT);
    Eventually.that(() -> assertThat(first.running).hasValue(0));
    assertThat(first.warm).as("as long as the controller runs").hasValue(1);
    controller.stop(LIMIT);
    assertThat(first.warm).hasValue(0);
  }

  /** Warm or not, one that fails is tried again, and the warm one stays until then. */
  @Test
  void staysWarmWhileItCannotBeStarted() throws Exception {
    first.warms = true;
    controller.warmUp();
    Eventually.that(() -> assertThat(controller.hasSynced()).isTrue());
    first.failures = 2;
    first.add("a");
    controller.start();
    Eventually.that(time, Duration.ofSeconds(5), () -> assertThat(controller.isReady()).isTrue());
    assertThat(first.warm).hasValue(1);
    assertThat(first.starts).hasValue(1);
    assertThat(next().name()).isEqualTo("a");
  }

  /** Without a warm-up, nothing of it is there between terms, whatever its sources are. */
  @Test
  void startsNothingBetweenTermsIfItIsNotToBeWarm() throws Exception {
    controller =
        controller(
            ControllerConfigs.config(
                time,
                c -> {
                  c.sources = List.of(first);
                  c.reconciler = this::see;
                  c.threads = threads;
                  c.leading = new LeadershipRequirement(Phase.LEADER, Fence.OPEN, false);
                }));
    controller.warmUp();
    assertThat(threads).isEmpty();
    for (int term = 1; term <= 3; term++) {
      startUntilReady();
      assertThat(first.starts).hasValue(term);
      assertThat(controller.standDown(LIMIT)).isTrue();
      for (int i = 0; i < 3; i++) {
        time.advance(SourceRunner.SYNC_POLL);
      }
      Eventually.that(() -> assertThat(first.running).hasValue(0));
      assertThat(first.starts).as("not again before the next term").hasValue(term);
    }
    controller.start();
    first.add("a");
    Eventually.that(time, SourceRunner.SYNC_POLL, () -> assertThat(seen).isNotEmpty());
  }

  @Test
  void stopsWhatItHasWarmedUp() throws Exception {
    first.warms = true;
    controller.warmUp();
    Eventually.that(() -> assertThat(first.warm).hasValue(1));
    assertThat(controller.stop(LIMIT)).isTrue();
    assertThat(first.warm).hasValue(0);
    assertThat(second.running).as("it can't be warmed up, so it was started").hasValue(0);
    assertThat(threads).noneMatch(Thread::isAlive);
  }

  @Test
  void watchesMoreAndLessWhileItRuns() throws Exception {
    startUntilReady();
    FakeSource third = new FakeSource();
    third.synced = false;
    WatchHandle handle = controller.watch(third);
    third.add("a");
    assertThat(next().name()).isEqualTo("a");
    assertThat(handle.hasSynced()).isFalse();
    third.problem = Optional.of("bars: 404");
    Eventually.that(() -> assertThat(handle.problem()).contains("bars: 404"));
    assertThat(controller.problem()).contains("bars: 404");
    first.add("b");
    assertThat(next().name()).isEqualTo("b");
    third.synced = true;
    Eventually.that(time, SourceRunner.SYNC_POLL, () -> assertThat(handle.hasSynced()).isTrue());
    handle.close();
    handle.close();
    assertThat(third.running).hasValue(0);
    assertThat(handle.hasSynced()).isFalse();
    assertThat(controller.problem()).isEmpty();
    first.add("c");
    assertThat(next().name()).isEqualTo("c");
  }

  @Test
  void keepsASourceThatWasAddedFromTermToTerm() throws Exception {
    FakeSource third = new FakeSource();
    third.warms = true;
    third.synced = false;
    WatchHandle handle = controller.watch(third);
    assertThat(third.starts).as("not before the controller").hasValue(0);
    startUntilReady();
    Eventually.that(() -> assertThat(third.starts).hasValue(1));
    assertThat(controller.standDown(LIMIT)).isTrue();
    Eventually.that(() -> assertThat(third.running).hasValue(0));
    controller.start();
    Eventually.that(() -> assertThat(third.running).hasValue(1));
    assertThat(controller.standDown(LIMIT)).isTrue();
    handle.close();
    startUntilReady();
    assertThat(third.starts).hasValue(2);
    assertThat(third.warm).hasValue(0);
  }

  /** The manager stops it after a failed start. */
  @Test
  void leavesNothingBehindIfThereIsNoThreadForItsStart() throws Exception {
    AtomicInteger refusals = new AtomicInteger(1);
    AtomicInteger made = new AtomicInteger();
    controller =
        controller(
            1,
            this::see,
            refusing(() -> made.incrementAndGet() == 1 && refusals.getAndDecrement() > 0));
    assertThatThrownBy(controller::start)
        .hasMessage("can't start a thread: unable to create native thread");
    assertThat(controller.stop(LIMIT)).isTrue();
    Eventually.that(() -> assertThat(threads).noneMatch(Thread::isAlive));
    assertThat(first.running).hasValue(0);
  }

  @Test
  void doesNotStartASourceThatComesDuringAStop() throws Exception {
    FakeSource late = new FakeSource();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch added = new CountDownLatch(1);
    controller =
        controller(
            1,
            (request, context) -> {
              begun.countDown();
              Eventually.that(() -> assertThat(first.running).hasValue(0)); // all were closed
              assertThat(controller.watch(late).hasSynced()).isFalse();
              added.countDown();
              return Result.done();
            });
    controller.start();
    first.add("a");
    begun.await();
    assertThat(controller.stop(LIMIT)).isTrue();
    assertThat(added.getCount()).isZero();
    for (Thread thread : threads) {
      thread.join(LIMIT.toMillis());
    }
    assertThat(late.starts).hasValue(0);
  }
}
