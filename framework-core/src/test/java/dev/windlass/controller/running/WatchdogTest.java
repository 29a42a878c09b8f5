// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.Controller;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.controller.settings.ControllerConfigs;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reconciles that take long. They run on the thread of the test, which moves the time itself. */
@Timeout(30)
final class WatchdogTest extends WatchdogHarness {

  @AutoClose private final Logs logs = Logs.of(Controller.class);

  /** See docs/reliability.md, I3. */
  @Test
  void cancelsAndInterruptsAReconcileAtItsTimeOut() {
    Worker worker = use(ControllerOptions.defaults().with(o -> o.reconcileTimeout = MINUTE));
    List<Object> seen = new ArrayList<>();
    CountDownLatch cancelled = new CountDownLatch(1);
    reconciler =
        (request, context) -> {
          context.onCancel(cancelled::countDown);
          seen.add(context.timeLeft());
          time.advance(MINUTE.minusNanos(1));
          seen.add(context.timeLeft());
          seen.add(context.isCancelled());
          time.advance(Duration.ofNanos(1));
          seen.add(context.isCancelled());
          context.onCancel(() -> seen.add("cancelled already"));
          seen.add(context.timeLeft());
          Eventually.that(() -> assertThat(cancelled.getCount()).isZero());
          end.await(); // throws
          return Result.done();
        };
    runOnce(worker);
    assertThat(seen)
        .containsExactly(
            Optional.of(MINUTE),
            Optional.of(Duration.ofNanos(1)),
            false,
            true,
            "cancelled already",
            Optional.of(Duration.ZERO));
    assertThat(heard).containsExactly("timed out example-foo", "ERROR PT1M");
    assertThat(run.keys().queue().delayed()).as("tried again after its back-off").isEqualTo(1);
  }

  /** The usual loop asks whether it is cancelled when it is interrupted, and goes on if not. */
  @Test
  void isCancelledBeforeItIsInterrupted() throws Exception {
    Worker worker = use(ControllerOptions.defaults().with(o -> o.reconcileTimeout = MINUTE));
    List<Boolean> cancelledWhenInterrupted = new CopyOnWriteArrayList<>();
    AtomicReference<@Nullable ReconcileContext> running = new AtomicReference<>();
    reconciler =
        (request, context) -> {
          running.set(context);
          while (!context.isCancelled()) {
            try {
              end.await();
            } catch (InterruptedException e) {
              // goes on unless it is cancelled
            }
          }
          throw new InterruptedException();
        };
    Thread thread =
        new Thread(worker::step) {
          @Override
          public void interrupt() {
            cancelledWhenInterrupted.add(Objects.requireNonNull(running.get()).isCancelled());
            super.interrupt();
          }
        };
    run.keys().queue().add(FOO);
    thread.start();
    Eventually.that(() -> assertThat(running.get()).isNotNull());
    time.advance(MINUTE);
    thread.join(20_000);
    assertThat(thread.isAlive()).isFalse();
    assertThat(cancelledWhenInterrupted).containsExactly(true);
    assertThat(logs.lines())
        .contains(
            "ERROR error syncing 'default/example-foo': timed out after 1 min"
                + " (InterruptedException), requeuing in 5 ms (attempt 2)");
  }

  /** The result that it finally returns decides what happens next. */
  @Test
  void acceptsTheResultOfAReconcileThatTimedOut() {
    Worker worker = use(ControllerOptions.defaults().with(o -> o.reconcileTimeout = MINUTE));
    reconciler =
        (request, context) -> {
          time.advance(MINUTE);
          return Result.done();
        };
    runOnce(worker);
    assertThat(heard).containsExactly("timed out example-foo", "DONE PT1M");
    assertThat(run.keys().queue().delayed()).isZero();
    assertThat(Thread.currentThread().isInterrupted()).as("meant for what has ended").isFalse();
  }

  @Test
  void leavesTheNextReconcileAlone() {
    Worker worker = use(ControllerOptions.defaults().with(o -> o.reconcileTimeout = MINUTE));
    List<Boolean> cancelled = new ArrayList<>();
    reconciler =
        (request, context) -> {
          time.advance(Duration.ofSeconds(40));
          cancelled.add(context.isCancelled());
          return Result.done();
        };
    for (String name : List.of("a", "b", "c")) {
      run.keys().queue().add(Request.of(name));
      worker.step();
    }
    assertThat(cancelled).containsExactly(false, false, false);
    time.advance(Duration.ofMinutes(10));
    assertThat(heard).hasSize(3).allMatch(line -> line.equals("DONE PT40S"));
  }

  /** It is a time-out only if the reconcile's own deadline caused the cancellation. */
  @Test
  void doesNotCallItATimeOutIfTheStopCameFirst() {
    Worker worker = use(ControllerOptions.defaults().with(o -> o.reconcileTimeout = MINUTE));
    List<Boolean> cancelled = new ArrayList<>();
    reconciler =
        (request, context) -> {
          run.cancel(Duration.ofHours(1));
          cancelled.add(context.isCancelled());
          time.advance(MINUTE);
          return Result.done();
        };
    runOnce(worker);
    assertThat(cancelled).containsExactly(true);
    assertThat(heard).containsExactly("DONE PT1M");
    Thread.interrupted();
  }

  @Test
  void namesASlowReconcileAndItsPlaceEachTimeThatItHasRunTwiceAsLong() {
    Worker worker = use(ControllerOptions.defaults());
    List<String> lines = new ArrayList<>();
    reconciler =
        (request, context) -> {
          time.advance(Duration.ofMinutes(5).minusNanos(1));
          assertThat(logs.lines()).isEmpty();
          time.advance(Duration.ofMinutes(35).plusNanos(1));
          lines.addAll(logs.lines());
          return Result.done();
        };
    runOnce(worker);
    assertThat(lines).hasSize(4).allMatch(line -> line.startsWith("WARN foo: reconcile "));
    assertThat(lines.get(0))
        .contains(" of 'default/example-foo' has been running for 300 s")
        .as("no line break of our own, which a layout would escape")
        .doesNotContain("\n");
    assertThat(lines.get(3)).contains("for 2400 s");
  }

  /** No other worker takes its place (docs/reliability.md, I3). */
  @Test
  void namesAReconcileThatDoesNotReactAndLeavesItsWorkerToIt() throws Exception {
    use(ControllerOptions.defaults().with(o -> o.reconcileTimeout = MINUTE));
    CountDownLatch begun = new CountDownLatch(1);
    List<String> seen = new CopyOnWriteArrayList<>();
    reconciler =
        (request, context) -> {
          seen.add(request.name());
          if (request.name().equals("stuck") && begun.getCount() > 0) {
            begun.countDown();
            waitStubbornly();
          }
          return Result.done();
        };
    run.workers().start();
    run.keys().queue().add(Request.of("stuck"));
    assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
    run.keys().queue().add(Request.of("other"));
    run.keys().queue().add(Request.of("stuck"));
    time.advance(MINUTE.plus(Watchdog.GRACE).minusNanos(1));
    try (Logs later = Logs.of(Controller.class)) {
      time.advance(Duration.ofNanos(1));
      assertThat(later.lines())
          .singleElement()
          .asString()
          .contains("of 'stuck' has run for 70 s and ignores its interrupt")
          .doesNotContain("\n");
      assertThat(later.thrown()).singleElement().asString().matches("thread .* is here");
      assertThat(later.places().get(0)).isBetween(2, 8);
    }
    time.advance(MINUTE);
    assertThat(heard)
        .filteredOn(line -> line.startsWith("stuck"))
        .containsExactly("stuck stuck PT1M10S");
    assertThat(run.watchdog().active()).singleElement().matches(ActiveReconcile::stuck);
    assertThat(seen).containsExactly("stuck");
    assertThat(threads).hasSize(1);
    end.countDown();
    Eventually.that(() -> assertThat(seen).containsExactly("stuck", "other", "stuck"));
  }

  @Test
  void outlastsAnActionThatFails() {
    Worker worker = use(ControllerOptions.defaults().with(o -> o.reconcileTimeout = MINUTE));
    List<String> done = new CopyOnWriteArrayList<>();
    reconciler =
        (Request request, ReconcileContext context) -> {
          context.onCancel(() -> raise(new IllegalStateException("test")));
          context.onCancel(() -> done.add("second"));
          time.advance(MINUTE);
          return Result.done();
        };
    runOnce(worker);
    Eventually.that(() -> assertThat(done).containsExactly("second"));
  }

  /** The scheduler has one thread for everybody. */
  @Test
  void isNotHeldUpByAnActionThatDoesNotReturn() {
    Worker worker = use(ControllerOptions.defaults().with(o -> o.reconcileTimeout = MINUTE));
    reconciler =
        (request, context) -> {
          context.onCancel(this::waitStubbornly);
          time.advance(MINUTE);
          return Result.done();
        };
    runOnce(worker);
    assertThat(heard).containsExactly("timed out example-foo", "DONE PT1M");
    assertThat(run.cancellations(FOO).isIdle()).isFalse();
  }

  /** What fails beside a reconcile must not lose the request, nor hit the next one. */
  @Test
  void losesNoRequestThatCouldNotBeBegun() {
    FailingScheduler failing = new FailingScheduler(time);
    ControllerConfig config =
        ControllerConfigs.config(
            failing,
            c -> {
              c.options = ControllerOptions.defaults().with(o -> o.reconcileTimeout = MINUTE);
              c.listener = listener;
            });
    run = new ControllerRun(config);
    run.keys().openQueue(run.keys().begin(0));
    Worker worker = new Worker(config, run);
    run.keys().queue().add(FOO);
    failing.refuses = 1;
    org.assertj.core.api.Assertions.assertThatThrownBy(worker::step).hasMessage("no thread");
    assertThat(heard).isEmpty();
    assertThat(run.watchdog().active()).isEmpty();
    time.advance(Duration.ofSeconds(1));
    assertThat(worker.step()).isTrue();
    assertThat(heard).containsExactly("DONE PT0S");
  }

  private static final class FailingScheduler implements dev.windlass.scheduling.Scheduler {
    private final ManualScheduler time;
    private int refuses;

    FailingScheduler(ManualScheduler time) {
      this.time = time;
    }

    @Override
    public long nanoTime() {
      return time.nanoTime();
    }

    @Override
    public Alarm schedule(Runnable task, Duration delay) {
      if (refuses > 0) {
        refuses--;
        throw new IllegalStateException("no thread");
      }
      return time.schedule(task, delay);
    }
  }

  @Test
  void keepsOneAlarm() {
    Worker worker = use(ControllerOptions.defaults().with(o -> o.reconcileTimeout = MINUTE));
    for (int i = 0; i < 100; i++) {
      run.keys().queue().add(Request.of("key-" + i));
      worker.step();
      time.advance(Duration.ofMillis(10));
    }
    assertThat(time.pending()).hasSize(1);
    run.watchdog().close();
    assertThat(time.pending()).isEmpty();
  }

  /** What was left alone is looked at in minutes; that is too late for the next. */
  @Test
  void looksInTimeAfterOneThatWasLeftAlone() {
    use(ControllerOptions.defaults().with(o -> o.reconcileTimeout = MINUTE));
    run.watchdog().began(active("first"));
    time.advance(MINUTE.plus(Watchdog.GRACE));
    run.watchdog().began(active("second"));
    time.advance(MINUTE);
    assertThat(heard).containsExactly("timed out first", "stuck first PT1M10S", "timed out second");
    assertThat(Thread.interrupted()).isTrue();
  }

  /** Slowness that comes before the time-out is told in time, and the time-out is kept. */
  @Test
  void namesTheSlowOnesAlsoBeforeTheirTimeOut() {
    Duration ten = Duration.ofSeconds(10);
    use(
        ControllerOptions.defaults()
            .with(o -> o.reconcileTimeout = MINUTE)
            .with(o -> o.slowAfter = ten));
    run.watchdog().began(active("slow"));
    for (int times : List.of(1, 1, 2)) {
      int before = logs.lines().size();
      time.advance(ten.multipliedBy(times).minusNanos(1));
      assertThat(logs.lines()).hasSize(before);
      time.advance(Duration.ofNanos(1));
      assertThat(logs.lines()).as("after 10, 20 and 40 s").hasSize(before + 1);
    }
    time.advance(ten.multipliedBy(2).minusNanos(1));
    assertThat(heard).isEmpty();
    time.advance(Duration.ofNanos(1));
    assertThat(heard).containsExactly("timed out slow");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void setsNoAlarmOnceItIsClosed() {
    use(ControllerOptions.defaults().with(o -> o.reconcileTimeout = MINUTE));
    run.watchdog().close();
    run.watchdog().began(active("late"));
    assertThat(time.pending()).isEmpty();
  }
}
