// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.running.Watchdog;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.testsupport.Eventually;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a stop leaves behind, and the state that the next start finds. */
@Timeout(60)
final class ControllerStopTest extends ControllerHarness {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Also for what has outlasted a loss of the lease. */
  @Test
  void waitsForReconcilesOfEveryTerm() throws Exception {
    controller = controller(1, this::stayStubbornly);
    startWithA();
    assertThat(controller.standDown(SHORT)).isFalse();
    assertThat(controller.liveness(MINUTE)).isEmpty();
    controller.start();
    assertThat(controller.problem())
        .contains(
            "a reconcile from before the last loss of the lease is still running; no other starts"
                + " until it returns");
    time.advance(Duration.ofSeconds(30));
    assertThat(controller.liveness(MINUTE).orElseThrow())
        .endsWith(" of 'default/a' ignores its interrupt after the loss of the lease");
    assertThat(controller.stop(SHORT)).isFalse();
    release.countDown();
    assertThat(controller.stop(LIMIT)).isTrue();
  }

  /** The one that would name a slow reconcile, above all. */
  @Test
  void leavesNoAlarmBehind() throws Exception {
    startWithA();
    assertThat(time.pending()).isNotEmpty();
    assertThat(controller.stop(LIMIT)).isTrue();
    assertThat(time.pending()).isEmpty();
  }

  /** Returns when the stop waits for the reconciles. */
  private CompletableFuture<Boolean> stopInBackground(Duration limit) {
    CompletableFuture<Boolean> stopped = new CompletableFuture<>();
    Thread thread = new Thread(() -> stopped.complete(stop(limit)));
    thread.start();
    Eventually.that(() -> assertThat(thread.getState()).isEqualTo(Thread.State.TIMED_WAITING));
    return stopped;
  }

  private void startWithOneThatStays(ControllerOptions options) throws InterruptedException {
    controller = controller(List.of(first), options, this::stay, Thread::new);
    startWithA();
  }

  /** A call that hangs must not delay a stop by more than its time-out of 20 s. */
  @Test
  void holdsTimeOutsWhileItStops() throws Exception {
    startWithOneThatStays(ControllerOptions.defaults().with(o -> o.reconcileTimeout = LIMIT));
    time.advance(Duration.ofSeconds(15));
    CompletableFuture<Boolean> stop = stopInBackground(Duration.ofMinutes(10));
    assertThat(controller.isReady()).isFalse();
    time.advance(Duration.ofMillis(4_999));
    assertThat(controller.running()).hasSize(1);
    time.advance(Duration.ofMillis(1));
    assertThat(stop.get(20, TimeUnit.SECONDS)).isTrue();
  }

  /** What would outlast the stop is interrupted in time to end, and has ended then. */
  @Test
  void interruptsWhatRunsTwoSecondsBeforeItsLimit() throws Exception {
    startWithOneThatStays(
        ControllerOptions.defaults().with(o -> o.reconcileTimeout = Duration.ZERO));
    CompletableFuture<Boolean> stop = stopInBackground(Duration.ofMinutes(10));
    assertThat(controller.isReady()).isFalse();
    time.advance(Duration.ofSeconds(598).minusNanos(1));
    assertThat(controller.running()).hasSize(1);
    time.advance(Duration.ofNanos(1));
    assertThat(stop.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(time.pending()).isEmpty();
  }

  /** As soon as it is known that a stop follows: another component may use up the time before. */
  @Test
  void interruptsWhatRunsAlreadyWhileOthersAreStopped() throws Exception {
    startWithOneThatStays(ControllerOptions.defaults());
    controller.cancel(Duration.ofSeconds(10));
    time.advance(Duration.ofSeconds(8));
    Eventually.that(() -> assertThat(controller.running()).isEmpty());
    assertThat(controller.stop(Duration.ofSeconds(20))).as("its threads end at once").isTrue();
  }

  @Test
  void namesWhatIsStuck() throws Exception {
    controller =
        controller(
            List.of(first),
            ControllerOptions.defaults().with(o -> o.reconcileTimeout = MINUTE),
            this::stayStubbornly,
            Thread::new);
    startWithA();
    time.advance(MINUTE);
    assertThat(controller.problem()).isEmpty();
    time.advance(Watchdog.GRACE);
    assertThat(controller.problem().orElseThrow())
        .endsWith(" of 'default/a' has been stuck for 70 s");
  }

  @Test
  void saysThatItsWorkersCantBeStarted() {
    AtomicBoolean refuses = new AtomicBoolean(true);
    AtomicInteger made = new AtomicInteger();
    controller =
        controller(1, this::see, refusing(() -> made.incrementAndGet() > 3 && refuses.get()));
    controller.start();
    first.add("a");
    Eventually.that(
        () ->
            assertThat(controller.problem())
                .contains(
                    "the workers could not be started: java.lang.IllegalStateException: can't start"
                        + " a thread: unable to create native thread"));
    refuses.set(false);
    Eventually.that(time, Duration.ofSeconds(1), () -> assertThat(seen).hasSize(1));
    Eventually.that(() -> assertThat(controller.problem()).isEmpty());
  }

  /** What a reconcile wants done when it is cancelled is the user's code, too. */
  @Test
  void isNotHeldUpByAnActionThatDoesNotReturn() throws Exception {
    CountDownLatch acts = new CountDownLatch(1);
    controller =
        controller(
            1,
            (request, context) -> {
              context.onCancel(
                  () -> {
                    acts.countDown();
                    stayStubbornly(request, context);
                  });
              see(request, context);
              acts.await();
              return Result.done();
            });
    startWithA();
    assertThat(controller.stop(SHORT)).as("the action goes on").isFalse();
    release.countDown();
    assertThat(controller.stop(LIMIT)).isTrue();
  }

  /** Else a controller that was stopped in trouble would be slow for a quarter of an hour. */
  @Test
  void forgetsTheFailuresOfTheTermBefore() throws Exception {
    List<Integer> attempts = java.util.Collections.synchronizedList(new ArrayList<>());
    controller =
        controller(
            1,
            (request, context) -> {
              attempts.add(context.attempt());
              throw new IllegalStateException("not yet");
            });
    controller.start();
    first.add("a");
    Eventually.that(
        time, Duration.ofSeconds(1), () -> assertThat(attempts).hasSizeGreaterThanOrEqualTo(4));
    assertThat(controller.standDown(LIMIT)).isTrue();
    attempts.clear();
    controller.start();
    first.add("a");
    Eventually.that(time, Duration.ofSeconds(1), () -> assertThat(attempts).isNotEmpty());
    assertThat(attempts.get(0)).isZero();
  }

  @Test
  void tellsHowMuchItHasToDo() throws Exception {
    assertThat(controller.queueLengths()).isEmpty();
    controller = controller(2, this::stay);
    assertThat(controller.maxConcurrentReconciles()).isEqualTo(2);
    controller.start();
    for (String name : List.of("a", "b", "c", "d", "e")) {
      first.add(name);
    }
    next();
    next();
    assertThat(controller.queueLengths()).containsExactly(java.util.Map.entry(Priority.NORMAL, 3));
    assertThat(controller.running()).hasSize(2);
  }
}
