// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.scheduling.ManualScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Waiting for somebody who may take long. */
final class TimedWaitTest {

  private static final Duration LIMIT = Duration.ofSeconds(2);

  private final ManualScheduler scheduler = new ManualScheduler();

  private Optional<String> ask(Supplier<String> question) {
    return new TimedWait(scheduler).atMost(LIMIT, Thread::new, "question", question);
  }

  @Test
  void endsWithTheAnswer() {
    assertThat(ask(() -> Thread.currentThread().getName())).contains("question");
    assertThat(scheduler.pending()).as("alarms that are left").isEmpty();
  }

  @Test
  void endsWithoutOneIfThereIsNone() {
    assertThat(
            ask(
                () -> {
                  throw new IllegalStateException("refused");
                }))
        .isEmpty();
  }

  @Test
  void endsWhenItsTimeIsOver() {
    CountDownLatch answered = new CountDownLatch(1);
    CompletableFuture<Optional<String>> answer =
        CompletableFuture.supplyAsync(
            () ->
                ask(
                    () -> {
                      try {
                        answered.await();
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                      }
                      return "late";
                    }));
    eventually().until(() -> scheduler.pending().equals(List.of(LIMIT)));
    assertThat(answer).isNotDone();
    scheduler.advance(LIMIT);
    assertThat(answer.join()).isEmpty();
    answered.countDown();
  }
}
