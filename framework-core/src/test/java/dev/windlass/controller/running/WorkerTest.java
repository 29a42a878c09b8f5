// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.Controller;
import dev.windlass.controller.enqueue.RequestCause;
import dev.windlass.controller.keys.KeyState;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;

@Timeout(30)
final class WorkerTest extends WorkerHarness {

  @Test
  void tellsHowLongAReconcileTook() {
    queue.add(FOO);
    reconciler =
        (request, context) -> {
          time.advance(Duration.ofMillis(7));
          return Result.done();
        };
    worker.step();
    assertThat(heard).containsExactly(new Heard(FOO, Outcome.DONE, Duration.ofMillis(7)));
  }

  @Test
  void givesEachRunAnIdOfItsOwn() {
    List<String> ids = new ArrayList<>();
    reconciler =
        (request, context) -> {
          ids.add(context.reconcileId());
          return Result.done();
        };
    for (int i = 0; i < 3; i++) {
      runOnce();
    }
    assertThat(ids).hasSize(3).doesNotHaveDuplicates();
  }

  @Test
  void givesTheKeyBackWhenTheListenerFails() {
    Worker telling =
        new Worker(
            config(
                ControllerOptions.defaults(),
                (request, outcome, took) -> raise(new IllegalStateException("bad listener"))),
            run);
    queue.add(FOO);
    assertThat(telling.step()).isTrue();
    queue.add(FOO);
    assertThat(queue.poll()).isPresent();
  }

  @Test
  void hasNothingToDoWhenNothingIsReady() {
    assertThat(worker.step()).isFalse();
    assertThat(attempts).isEmpty();
  }

  /** The fence may close some time before the worker is told to stop. */
  @Test
  void putsBackWhatItMayNotBegin() {
    queue.add(FOO);
    open = false;
    assertThat(worker.step()).isTrue();
    assertThat(attempts).isEmpty();
    assertThat(waitOfKey()).isEqualTo(Duration.ofSeconds(1));
    open = true;
    time.advance(Duration.ofSeconds(1));
    worker.step();
    assertThat(attempts).hasSize(1);
    assertThat(waitOfKey()).isEqualTo(NEVER);
  }

  /** The same, closed after the request was taken. */
  @Test
  void putsBackWhatItMayNotBeginAnyMore() {
    run.keys().add(FOO, Priority.NORMAL, RequestCause.UNKNOWN);
    beforeTheBegin = () -> open = false;
    worker.step();
    assertThat(attempts).isEmpty();
    assertThat(waitOfKey()).isEqualTo(Duration.ofSeconds(1));
    assertThat(run.keys().queue().<List<Object>>record(FOO, KeyState::reasons))
        .as("why it was queued is not forgotten")
        .hasSize(1);
  }

  /** The stop comes after the key is taken and before its reconcile starts. */
  @Test
  void beginsNothingAfterAStopThatCameBehindTheTake() {
    queue.add(FOO);
    beforeTheBegin = () -> run.cancel(Duration.ofHours(1));
    worker.step();
    assertThat(attempts).isEmpty();
    assertThat(waitOfKey()).isEqualTo(NEVER);
  }

  @Test
  void beginsNothingAfterAStop() {
    queue.add(FOO);
    queue.shutDown();
    run.cancel(Duration.ofHours(1));
    worker.run();
    assertThat(attempts).isEmpty();
    assertThat(heard).isEmpty();
    assertThat(queue.length()).isZero();
  }

  @Test
  void tellsTheReconcilerThatAStopCame() {
    List<Boolean> cancelled = new ArrayList<>();
    reconciler =
        (request, context) -> {
          cancelled.add(context.isCancelled());
          run.cancel(Duration.ofHours(1));
          cancelled.add(context.isCancelled());
          return Result.done();
        };
    runOnce();
    assertThat(cancelled).containsExactly(false, true);
  }

  /** Nothing but the end of the queue ends a worker. */
  @Test
  void worksUntilTheQueueEndsWhateverHappens() {
    List<Request> seen = new ArrayList<>();
    reconciler =
        (request, context) -> {
          seen.add(request);
          switch (request.name()) {
            case "error" -> throw new StackOverflowError();
            case "interrupted" -> Thread.currentThread().interrupt();
            case "last" -> queue.shutDown();
            default -> throw new IllegalStateException("unexpected " + request);
          }
          return Result.done();
        };
    for (String name : List.of("error", "interrupted", "last")) {
      queue.add(Request.of(name));
    }
    worker.run();
    assertThat(seen)
        .containsExactly(Request.of("error"), Request.of("interrupted"), Request.of("last"));
    assertThat(Thread.interrupted())
        .as("a left interrupt does not outlive the reconcile")
        .isFalse();
  }

  /** Whose log line it is. */
  @Test
  void putsTheRunIntoTheLoggingContextAndClearsIt() {
    Map<String, String> during = new HashMap<>();
    reconciler =
        (request, context) -> {
          during.putAll(MDC.getCopyOfContextMap());
          during.put("id of the context", context.reconcileId());
          MDC.put("left", "behind");
          return Result.done();
        };
    runOnce();
    assertThat(during)
        .containsEntry("controller", "foo")
        .containsEntry("namespace", "default")
        .containsEntry("name", "example-foo")
        .containsEntry("reconcileId", during.get("id of the context"));
    assertThat(MDC.getCopyOfContextMap()).as("after the run").isNullOrEmpty();
  }

  /** Log layouts print the MDC values unescaped (docs/reliability.md, E4). */
  @Test
  void putsNoRawNamesIntoTheLoggingContext() {
    Map<String, String> during = new HashMap<>();
    reconciler =
        (request, context) -> {
          during.putAll(MDC.getCopyOfContextMap());
          return Result.done();
        };
    queue.add(Request.of("a\nERROR b"));
    worker.step();
    assertThat(during).containsEntry("name", "a\\u000aERROR b");
  }

  /** Nothing of it decides anything, and nothing of it is told twice. */
  @Test
  void tellsWhyARequestWasQueued() {
    List<List<String>> told = new ArrayList<>();
    reconciler =
        (request, context) -> {
          told.add(context.reasons());
          return switch (told.size()) {
            case 1 -> Result.requeueWithBackoff();
            case 2 -> Result.requeueAfter(TEN);
            case 3 -> throw new IllegalStateException();
            default -> Result.done();
          };
        };
    for (int i = 1; i <= 6; i++) {
      run.keys().because(FOO, "event " + i);
      queue.add(FOO);
    }
    do {
      time.advance(TEN);
    } while (worker.step());
    assertThat(told)
        .containsExactly(
            List.of("event 3", "event 4", "event 5", "event 6"),
            List.of("requeue"),
            List.of("requeueAfter"),
            List.of("retry after an error"));
    assertThat(run.keys().queue().<List<Object>>record(FOO, KeyState::reasons)).isEmpty();
  }

  /** Nothing that the thread has changed can be trusted any longer (ADR 0042). */
  @Test
  void endsWithAFatalError() {
    OutOfMemoryError error = new OutOfMemoryError("test");
    reconciler = (request, context) -> raise(error);
    queue.add(FOO);
    assertThatThrownBy(worker::step).isSameAs(error);
    assertThat(heard).as("nobody acts on it").isEmpty();
    queue.add(FOO);
    assertThatThrownBy(worker::run).as("the thread ends").isSameAs(error);
  }

  @Test
  void outlivesALogThatFails() {
    try (Logs logs = Logs.failing(Controller.class)) {
      queue.add(FOO);
      reconciler =
          (request, context) -> {
            if (attempts.size() == 1) {
              throw new IllegalStateException("to be logged");
            }
            queue.shutDown();
            return Result.done();
          };
      Thread clock =
          new Thread(
              () ->
                  Eventually.stuckUntil(
                      () -> {
                        time.advance(Duration.ofMillis(5));
                        return queue.isShutDown();
                      }));
      clock.start();
      worker.run();
      assertThat(attempts).hasSize(2);
      assertThat(logs.messages()).isNotEmpty();
    } finally {
      queue.shutDown();
    }
  }

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final List<Duration> began = new ArrayList<>();

  private void runEachMinute() {
    use(ControllerOptions.defaults().with(o -> o.minimumInterval = MINUTE));
    long start = time.nanoTime();
    reconciler =
        (request, context) -> {
          began.add(Duration.ofNanos(time.nanoTime() - start));
          return began.size() == 2 ? Result.requeueAfter(TEN) : Result.done();
        };
  }

  private void work() {
    while (worker.step()) {
      // until nothing is ready
    }
  }

  /** The first acts at once, the next ones wait together, and so does a requeue. */
  @Test
  void runsOnceAnIntervalWhateverComes() {
    runEachMinute();
    queue.add(FOO);
    work();
    for (int second = 0; second < 180; second++) {
      time.advance(Duration.ofSeconds(1));
      if (second < 30) {
        queue.add(FOO); // 30 events within the first interval
      }
      work();
    }
    assertThat(began).containsExactly(Duration.ZERO, MINUTE, MINUTE.multipliedBy(2));
  }

  @Test
  void leavesTheQuietAlone() {
    runEachMinute();
    queue.add(FOO);
    work();
    time.advance(MINUTE.multipliedBy(5));
    queue.add(FOO);
    work();
    assertThat(began).containsExactly(Duration.ZERO, MINUTE.multipliedBy(5));
  }

  @Test
  void keepsNothingOfWhatRanAnIntervalAgo() {
    runEachMinute();
    int[] most = {0};
    for (int i = 0; i < 10_000; i++) {
      queue.add(Request.of("default", "r" + i));
      work();
      time.advance(Duration.ofSeconds(1));
      int[] states = {0};
      run.keys().queue().forEach((request, state) -> states[0]++);
      most[0] = Math.max(most[0], states[0]);
    }
    assertThat(began).hasSizeGreaterThanOrEqualTo(10_000);
    assertThat(most[0]).as("of the last two minutes").isLessThanOrEqualTo(121);
  }
}
