// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.Eventually;
import dev.windlass.behaviour.OddScheduler;
import dev.windlass.behaviour.Proves;
import dev.windlass.testing.time.ManualScheduler;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
              throw new OutOfMemoryError("test: no thread");
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

  /**
   * Out of memory at any point, even outside of the step; the pause is real (docs/reliability.md,
   * G3).
   */
  @Test
  void outlastsWhatFailsBetweenTheRounds() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    Scheduler broken =
        new OddScheduler(
            () -> {
              if (reads.incrementAndGet() == 3) { // the first is of the constructor
                throw new OutOfMemoryError("test: no memory");
              }
              return 0;
            },
            (task, delay) -> () -> {});
    loop =
        new Loop(
            "test-loop",
            () -> {
              rounds.add(round++);
              return round == 1 ? StepDelay.NONE : StepDelay.UNTIL_WOKEN;
            },
            broken,
            Thread::new);
    loop.start();
    assertThat(nextRound()).isEqualTo(0);
    assertThat(nextRound()).isEqualTo(1);
    assertThat(reads).hasValueGreaterThan(3);
    assertThat(loop.isRunning()).isTrue();
  }

  /** Whatever is thrown, the loop goes on after 1 s. */
  @Test
  @Proves({"001-53", "002-20"})
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
