// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health.checks;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.health.HealthCheck;
import dev.windlass.health.HealthCheck.Kind;
import dev.windlass.scheduling.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever checks do, who asks gets an answer. */
@Timeout(60)
final class CheckLimitsTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  private final ManualScheduler time = new ManualScheduler();
  private final CheckThreads threads = new CheckThreads(Thread::new);
  private final CountDownLatch released = new CountDownLatch(1);

  @AfterEach
  void closes() {
    released.countDown();
    threads.close();
  }

  @Test
  void aCheckThatFindsNoThreadForAllThatHangIsRedAndSaysSo() {
    for (int i = 0; i < CheckThreads.MOST; i++) {
      threads.run(
          () -> {
            try {
              released.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
    NamedCheck last = new NamedCheck("last", () -> {}, time);
    assertThat(last.problem(threads))
        .succeedsWithin(SOON)
        .isEqualTo(Optional.of("it was not run: 128 other checks have not returned"));
    time.advance(NamedCheck.VALID);
    assertThat(last.problem(threads)).as("and is asked again").isDone();
  }

  @Test
  void aCheckRunsOnceForAllWhoAskUntil100MillisecondsAfterItsEnd() throws InterruptedException {
    AtomicInteger runs = new AtomicInteger();
    NamedCheck check =
        new NamedCheck(
            "counted",
            () -> {
              runs.incrementAndGet();
              released.await();
            },
            time);
    List<CompletableFuture<Optional<String>>> asked = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      asked.add(check.problem(threads));
    }
    time.advance(Duration.ofSeconds(2));
    released.countDown();
    asked.forEach(one -> assertThat(one).succeedsWithin(SOON).isEqualTo(Optional.empty()));
    time.advance(NamedCheck.VALID.minusNanos(1));
    assertThat(check.problem(threads)).isCompletedWithValue(Optional.empty());
    assertThat(runs).hasValue(1);
    time.advance(Duration.ofNanos(1));
    assertThat(check.problem(threads)).succeedsWithin(SOON).isEqualTo(Optional.empty());
    assertThat(runs).hasValue(2);
  }

  @Test
  void aCheckAfterTheEndIsRedAndSaysSo() {
    threads.close();
    assertThat(new NamedCheck("late", () -> {}, time).problem(threads))
        .isCompletedWithValue(Optional.of("it was not run: health checks have been stopped"));
  }

  /** Throws something that nobody expects when it is asked what is wrong. */
  private static final class Unspeakable extends Exception {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      Unspeakable.<RuntimeException>sneak(new Throwable("neither of the two"));
      return "";
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
      throw (T) thrown;
    }
  }

  @Test
  void aCheckWhoseFailureCantBeToldIsRedAndIsAskedAgain() {
    NamedCheck check = new NamedCheck("bad", () -> raise(new Unspeakable()), time);
    for (int i = 0; i < 2; i++) {
      assertThat(check.problem(threads))
          .succeedsWithin(SOON)
          .isEqualTo(Optional.of("it failed, and its cause can't be described"));
      time.advance(NamedCheck.VALID);
    }
  }

  @Test
  void aCheckThatThrowsAnErrorIsRed() {
    NamedCheck check =
        new NamedCheck("deep", () -> raise(new StackOverflowError("too deep")), time);
    assertThat(check.problem(threads))
        .succeedsWithin(SOON)
        .isEqualTo(Optional.of("StackOverflowError: too deep"));
  }

  @Test
  void aCheckForWhichThereIsNoThreadIsRedAndIsAskedAgain() {
    AtomicBoolean exhausted = new AtomicBoolean(true);
    CheckThreads few =
        new CheckThreads(
            task -> {
              if (exhausted.getAndSet(false)) {
                throw new InternalError("no thread");
              }
              return new Thread(task);
            });
    NamedCheck check = new NamedCheck("any", () -> {}, time);
    assertThat(check.problem(few))
        .isCompletedWithValue(Optional.of("it could not be run: InternalError: no thread"));
    time.advance(NamedCheck.VALID);
    assertThat(check.problem(few)).succeedsWithin(SOON).isEqualTo(Optional.empty());
    few.close();
  }

  @Test
  void aCheckThatHasReturnedLeavesNoAlarm() {
    NamedCheck check = new NamedCheck("slow", released::await, time);
    CompletableFuture<Optional<String>> asked = check.problem(threads);
    assertThat(time.pending()).containsExactly(HealthCheck.LIMIT);
    released.countDown();
    assertThat(asked).succeedsWithin(SOON).isEqualTo(Optional.empty());
    assertThat(time.pending()).isEmpty();
  }

  @Test
  void theMonitorForgetsChecksThatAreGone() throws InterruptedException {
    Health health = new Health(time, Thread::new);
    HealthMonitor monitor = new HealthMonitor(health, dead -> {});
    monitor.run();
    int before = monitor.size();
    for (int i = 0; i < 20; i++) {
      String name = "controller-" + i;
      health.add(Kind.READY, name, () -> {});
      monitor.run();
      assertThat(monitor.size()).isEqualTo(before + 1);
      health.remove(Kind.READY, name);
    }
    monitor.run();
    assertThat(monitor.size()).isEqualTo(before);
    health.close();
  }
}
