// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import dev.windlass.testsupport.OddScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The one class of the framework's core that has a thread of its own, so these tests have one. */
@Timeout(30)
final class LoopTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final ManualScheduler time = new ManualScheduler();
  private final BlockingQueue<Integer> rounds = new LinkedBlockingQueue<>();
  private int round;
  private Loop loop = new Loop("unused", () -> StepDelay.UNTIL_WOKEN, time, Thread::new);

  @AfterEach
  void stops() throws InterruptedException {
    loop.stop();
    assertThat(loop.join(LIMIT)).isTrue();
  }

  private void start(LoopStep step) {
    loop =
        new Loop(
            "test-loop",
            () -> {
              StepDelay pause = null;
              try {
                pause = step.run();
              } finally {
                rounds.add(round++);
              }
              return pause;
            },
            time,
            Thread::new);
    loop.start();
  }

  private int nextRound() throws InterruptedException {
    Integer next = rounds.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    return next == null ? -1 : next;
  }

  /** Advances time once the loop has set its alarm. */
  private void advanceWhenResting(Duration by) {
    Eventually.until(() -> !time.pending().isEmpty());
    time.advance(by);
  }

  @Test
  void restsUntilItIsWoken() throws Exception {
    start(() -> StepDelay.UNTIL_WOKEN);
    assertThat(nextRound()).isEqualTo(0);
    loop.wake();
    assertThat(nextRound()).isEqualTo(1);
  }

  @Test
  void restsAsLongAsTheStepAsks() throws Exception {
    start(() -> StepDelay.of(Duration.ofSeconds(5)));
    assertThat(nextRound()).isEqualTo(0);
    advanceWhenResting(Duration.ofMillis(4_999));
    assertThat(rounds).isEmpty();
    time.advance(Duration.ofMillis(1));
    assertThat(nextRound()).isEqualTo(1);
  }

  @Test
  void wakingDuringARoundMakesAnotherOne() throws Exception {
    start(
        () -> {
          if (round == 0) {
            loop.wake();
          }
          return StepDelay.UNTIL_WOKEN;
        });
    assertThat(nextRound()).isEqualTo(0);
    assertThat(nextRound()).isEqualTo(1);
  }

  /** For want of a thread for the alarm, say. The pause is real, but a wake-up ends it. */
  @Test
  void outlastsASchedulerThatFails() throws Exception {
    Scheduler broken =
        new OddScheduler(
            () -> 0,
            (task, delay) -> {
              throw new IllegalStateException("test: no thread");
            });
    loop =
        new Loop(
            "test-loop",
            () -> {
              rounds.add(round++);
              return StepDelay.of(Duration.ofDays(1));
            },
            broken,
            Thread::new);
    loop.start();
    assertThat(nextRound()).isEqualTo(0);
    loop.wake();
    assertThat(nextRound()).isEqualTo(1);
    assertThat(loop.isRunning()).isTrue();
  }

  /** In the step, or between the rounds; the owner of the thread hears of it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void endsWithAFatalError(boolean inTheStep) throws Exception {
    Error fatal = new OutOfMemoryError("test: no memory");
    Scheduler broken =
        new OddScheduler(
            () -> 0,
            (task, delay) -> {
              throw fatal;
            });
    CompletableFuture<Throwable> heard = new CompletableFuture<>();
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    loop =
        new Loop(
            "test-loop",
            () -> {
              if (inTheStep) {
                throw fatal;
              }
              return StepDelay.of(Duration.ofDays(1));
            },
            broken,
            FatalErrors.reporting(Thread::new, heard::complete),
            () -> ended.complete(true));
    try (Logs logs = Logs.of(Loop.class)) {
      loop.start();
      assertThat(heard.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isSameAs(fatal);
      assertThat(loop.join(LIMIT)).isTrue();
      assertThat(logs.lines()).containsExactly("ERROR test-loop has ended");
    }
    assertThat(loop.isRunning()).isFalse();
    assertThat(loop.lastFailure()).containsSame(fatal);
    assertThat(ended).isCompletedWithValue(true);
  }

  /**
   * The system's scheduler works for many; the task of one that is out of memory tells its owner.
   */
  @Test
  void reportsTheFatalErrorsOfTimers() {
    List<Throwable> heard = new ArrayList<>();
    Scheduler reporting = FatalErrors.reporting(time, heard::add);
    Error fatal = new InternalError("test");
    reporting.schedule(
        () -> {
          throw fatal;
        },
        Duration.ZERO);
    reporting.schedule(
        () -> {
          throw new StackOverflowError("test");
        },
        Duration.ZERO);
    assertThatThrownBy(() -> time.advance(Duration.ofMillis(1)))
        .isInstanceOf(StackOverflowError.class);
    assertThat(heard).containsExactly(fatal);
  }

  /** The heap is intact if the operating system refuses a thread. */
  @Test
  void canBeStartedAgainIfThereWasNoThread() throws Exception {
    AtomicInteger starts = new AtomicInteger();
    loop =
        new Loop(
            "test-loop",
            () -> {
              rounds.add(round++);
              return StepDelay.UNTIL_WOKEN;
            },
            time,
            task ->
                new Thread(task) {
                  @Override
                  public synchronized void start() {
                    if (starts.getAndIncrement() == 0) {
                      throw new OutOfMemoryError("unable to create native thread");
                    }
                    super.start();
                  }
                });
    assertThatThrownBy(loop::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("can't start a thread: unable to create native thread");
    loop.start();
    assertThat(nextRound()).isEqualTo(0);
  }

  /** Whatever is thrown, the loop goes on after 1 s. */
  @Test
  void goesOnOneSecondAfterAnythingThrown() throws Exception {
    start(
        () -> {
          if (round == 0) {
            throw new StackOverflowError("test");
          }
          return StepDelay.UNTIL_WOKEN;
        });
    assertThat(nextRound()).isEqualTo(0);
    advanceWhenResting(Duration.ofMillis(999));
    assertThat(loop.lastFailure()).containsInstanceOf(StackOverflowError.class);
    assertThat(loop.isRunning()).isTrue();
    time.advance(Duration.ofMillis(1));
    assertThat(nextRound()).isEqualTo(1);
  }

  @Test
  void endsWhenStoppedWhileItRests() throws Exception {
    start(() -> StepDelay.UNTIL_WOKEN);
    nextRound();
    loop.stop();
    assertThat(loop.join(LIMIT)).isTrue();
    assertThat(loop.isRunning()).isFalse();
  }
}
