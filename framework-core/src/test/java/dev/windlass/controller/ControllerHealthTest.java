// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.keys.OwnedKeys;
import dev.windlass.controller.monitoring.ControllerHealth;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.RunningReconcile;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.controller.running.SourceRunner;
import dev.windlass.controller.running.Watchdog;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.diagnosis.ControllerDiagnosis;
import dev.windlass.testsupport.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ControllerHealthTest extends ControllerHarness {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

  private final CountDownLatch wedged = new CountDownLatch(1);

  private void startWith(ControllerOptions options) {
    controller =
        controller(
            List.of(first, second),
            options,
            (request, context) -> {
              if (request.name().startsWith("stuck")) {
                waitStubbornly();
              } else if (request.name().startsWith("bad")) {
                throw new IllegalStateException("no \u001b " + request.name() + " at 10.0.0.1");
              } else if (request.name().startsWith("hopeless")) {
                throw new TerminalException("never");
              }
              return Result.done();
            },
            Thread::new);
    controller.start();
    first.synced = true;
    second.synced = true;
    Eventually.that(time, SourceRunner.SYNC_POLL, () -> assertThat(controller.isReady()).isTrue());
  }

  private void waitStubbornly() {
    Eventually.stuckUntil(() -> wedged.getCount() == 0);
  }

  private void enqueue(String name) {
    first.add(name);
  }

  /** It may be red for a moment: the starter was still in a step when the test advanced time. */
  private Optional<String> liveness() {
    return controller.liveness(TEN_MINUTES);
  }

  /** No other worker takes their places (docs/reliability.md, H7). */
  @Test
  void isDeadIfAllWorkersAreBlockedByWhatDoesNotReact() {
    startWith(
        ControllerOptions.defaults()
            .with(o -> o.reconcileTimeout = MINUTE)
            .with(o -> o.maxConcurrentReconciles = 2));
    enqueue("stuck-1");
    enqueue("stuck-2");
    Eventually.that(() -> assertThat(controller.running()).hasSize(2));
    time.advance(MINUTE.plus(Watchdog.GRACE));
    assertThat(controller.running()).allMatch(RunningReconcile::stuck);
    time.advance(TEN_MINUTES.minus(Watchdog.GRACE).minusNanos(1));
    Eventually.that(() -> assertThat(liveness()).isEmpty());
    time.advance(Duration.ofNanos(1));
    assertThat(liveness().orElseThrow())
        .startsWith("all 2 workers of controller foo are blocked: their reconciles ignore the")
        .contains("of 'default/stuck-1' for 660 s", "of 'default/stuck-2' for 660 s");
    wedged.countDown();
    Eventually.that(() -> assertThat(liveness()).isEmpty());
  }

  @Test
  void livesAsLongAsOneWorkerIsFree() {
    startWith(
        ControllerOptions.defaults()
            .with(o -> o.reconcileTimeout = MINUTE)
            .with(o -> o.maxConcurrentReconciles = 2));
    enqueue("stuck-1");
    Eventually.that(() -> assertThat(controller.running()).hasSize(1));
    time.advance(MINUTE.plus(Watchdog.GRACE));
    time.advance(Duration.ofMinutes(20));
    assertThat(controller.running()).singleElement().matches(RunningReconcile::stuck);
    Eventually.that(() -> assertThat(liveness()).isEmpty());
    wedged.countDown();
  }

  /** A restart may not help a reconcile that may take as long as it likes. */
  @Test
  void isNotReadyIfAllWorkersHaveBeenInTheSameReconcilesForLong() {
    startWith(ControllerOptions.defaults().with(o -> o.maxConcurrentReconciles = 2));
    enqueue("stuck-1");
    Eventually.that(() -> assertThat(controller.running()).hasSize(1));
    time.advance(Duration.ofHours(10));
    Eventually.that(
        () -> assertThat(controller.readiness()).as("the other worker is free").isEmpty());
    enqueue("stuck-2");
    Eventually.that(() -> assertThat(controller.running()).hasSize(2));
    time.advance(ControllerHealth.SAME_RECONCILES.minusNanos(1));
    Eventually.that(() -> assertThat(controller.readiness()).isEmpty());
    time.advance(Duration.ofNanos(1));
    assertThat(controller.readiness().orElseThrow())
        .startsWith("all 2 workers of controller foo have been in the same reconciles for over")
        .contains("of 'default/stuck-1' for 36600 s", "of 'default/stuck-2' for 600 s");
    Eventually.that(() -> assertThat(liveness()).isEmpty());
    wedged.countDown();
    Eventually.that(() -> assertThat(controller.readiness()).isEmpty());
  }

  @Test
  void isReadyWhenItsSourcesHaveSyncedAndOnAStandby() throws InterruptedException {
    second.synced = false;
    Eventually.that(() -> assertThat(controller.readiness()).as("not started").isEmpty());
    controller.start();
    first.synced = true;
    assertThat(controller.readiness().orElseThrow()).startsWith("not synced: ");
    second.synced = true;
    Eventually.that(
        time, SourceRunner.SYNC_POLL, () -> assertThat(controller.readiness()).isEmpty());
    first.problem = Optional.of("forbidden");
    Eventually.that(() -> assertThat(controller.readiness()).as("it may pass").isEmpty());
    time.advance(ControllerHealth.PATIENCE);
    assertThat(controller.readiness()).contains("forbidden");
    Eventually.that(() -> assertThat(liveness()).as("no restart would cure it").isEmpty());
    first.problem = Optional.empty();
    Eventually.that(() -> assertThat(controller.readiness()).isEmpty());
    controller.stop(LIMIT);
    Eventually.that(() -> assertThat(liveness()).as("it is not meant to run").isEmpty());
    Eventually.that(() -> assertThat(controller.readiness()).isEmpty());
  }

  @Test
  void writesDownWhatIsInWorkAndWhatFails() {
    startWith(ControllerOptions.defaults().with(o -> o.maxConcurrentReconciles = 2));
    enqueue("bad-1");
    enqueue("stuck-1");
    Eventually.that(() -> assertThat(controller.diagnosis().failing()).hasSize(1));
    Eventually.that(() -> assertThat(controller.diagnosis().delayed()).isEqualTo(1));
    Eventually.that( // its failure and its retry are booked a moment before bad-1 is out of work
        () ->
            assertThat(controller.diagnosis().inWork())
                .singleElement()
                .satisfies(work -> assertThat(work.key()).endsWith("stuck-1")));
    time.advance(Duration.ofMillis(2));
    ControllerDiagnosis diagnosis = controller.diagnosis();
    assertThat(diagnosis.name()).isEqualTo("foo");
    assertThat(diagnosis.ready()).isTrue();
    assertThat(diagnosis.workers()).isEqualTo(2);
    assertThat(diagnosis.inWork().get(0).elapsed()).isEqualTo(Duration.ofMillis(2));
    ControllerDiagnosis.FailingKey failing = diagnosis.failing().get(0);
    assertThat(failing.key()).endsWith("bad-1");
    assertThat(failing.error()).isEqualTo("IllegalStateException: no \\u001b bad-1 at <address>");
    assertThat(failing.times()).isEqualTo(1);
    assertThat(failing.ago()).isEqualTo(Duration.ofMillis(2));
    assertThat(failing.retryIn()).contains(Duration.ofMillis(3));
    assertThat(failing.reasons()).containsExactly("retry after an error");
    enqueue("hopeless");
    Eventually.that(() -> assertThat(controller.diagnosis().failing()).hasSize(2));
    assertThat(controller.diagnosis().failing().get(0).retryIn()).as("not again").isEmpty();
    wedged.countDown();
  }

  @Test
  void showsTheErrorsOfTheHundredThatFailedLast() {
    startWith(ControllerOptions.defaults());
    enqueue("bad-0");
    Eventually.that(() -> assertThat(controller.run().keys().failures()).hasSize(1));
    time.advance(Duration.ofNanos(1));
    for (int i = 1; i <= 100; i++) {
      enqueue("bad-" + i);
    }
    Eventually.that(() -> assertThat(controller.run().keys().failures()).hasSize(101));
    time.advance(Duration.ofNanos(1));
    assertThat(controller.run().keys().failures())
        .extracting(OwnedKeys.Failure::failing)
        .contains(Duration.ofNanos(2));
    assertThat(controller.diagnosis().failing())
        .hasSize(100)
        .noneMatch(failing -> failing.key().endsWith("bad-0"));
  }
}
