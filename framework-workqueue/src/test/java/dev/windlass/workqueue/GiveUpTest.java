// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.testing.time.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class GiveUpTest {

  private final ManualScheduler time = new ManualScheduler();
  private final List<String> givenUp = new ArrayList<>();
  private final WorkQueueOptions<String> options =
      WorkQueueOptions.<String>named("test").withScheduler(time);
  private final WorkQueue<String> queue =
      WorkQueue.create(
          options.withMaxRetries(2, (key, failures) -> givenUp.add(key + " after " + failures)));

  @Test
  void neverHappensByDefault() {
    WorkQueue<String> patient = WorkQueue.create(options);
    for (int i = 0; i < 10_000; i++) {
      assertThat(patient.addRateLimited("a")).isTrue();
    }
  }

  @Test
  void happensAtTheFailureAfterTheLastRetry() {
    assertThat(queue.addRateLimited("a")).isTrue();
    assertThat(queue.addRateLimited("a")).isTrue();
    assertThat(queue.addRateLimited("b")).as("others are not concerned").isTrue();
    assertThat(givenUp).isEmpty();
    time.advance(Duration.ofSeconds(1));
    queue.poll().orElseThrow().close();
    queue.poll().orElseThrow().close();
    assertThat(queue.addRateLimited("a")).isFalse();
    assertThat(givenUp).containsExactly("a after 3");
    assertThat(queue.delayed()).isZero();
    assertThat(queue.retries("a")).isZero();
    assertThat(queue.retries("b")).isEqualTo(1);
  }

  @Test
  void leavesTheKeyFreeToComeBack() {
    for (int i = 0; i < 3; i++) {
      queue.addRateLimited("a");
    }
    assertThat(queue.addRateLimited("a")).as("counted anew").isTrue();
    assertThat(queue.retries("a")).isEqualTo(1);
  }

  @Test
  void isPutOffByForgetting() {
    for (int i = 0; i < 10; i++) {
      assertThat(queue.addRateLimited("a")).isTrue();
      queue.forget("a");
    }
  }

  @Test
  void mayHappenAtTheFirstFailure() {
    WorkQueue<String> strict =
        WorkQueue.create(options.withMaxRetries(0, (key, failures) -> givenUp.add(key)));
    assertThat(strict.addRateLimited("a")).isFalse();
    assertThat(givenUp).containsExactly("a");
  }

  @Test
  void harmsNobodyIfTheHookThrows() {
    WorkQueue<String> fragile =
        WorkQueue.create(
            options.withMaxRetries(
                0,
                (key, failures) -> {
                  throw new NoClassDefFoundError("test");
                }));
    assertThat(fragile.addRateLimited("a")).isFalse();
    fragile.add("a");
    assertThat(fragile.poll()).isPresent();
  }

  /** Other threads get on with the queue while the hook runs, and so may the hook. */
  @Test
  void callsTheHookWithoutALock() {
    List<WorkQueue<String>> self = new ArrayList<>();
    WorkQueue<String> free =
        WorkQueue.create(
            options.withMaxRetries(
                0,
                (key, failures) -> {
                  FutureTask<Integer> other = new FutureTask<>(() -> self.get(0).length());
                  new Thread(other).start();
                  try {
                    givenUp.add(key + other.get(20, TimeUnit.SECONDS));
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                  self.get(0).add(key);
                }));
    self.add(free);
    assertThat(free.addRateLimited("a")).isFalse();
    assertThat(givenUp).containsExactly("a0");
    assertThat(free.length()).isEqualTo(1);
  }

  @Test
  void isNotPromisedAfterAShutDownEither() {
    queue.shutDown();
    assertThat(queue.addRateLimited("a")).isFalse();
    assertThat(givenUp).isEmpty();
  }

  @Test
  void namesWhatItRefuses() {
    assertThatThrownBy(() -> options.withMaxRetries(-1, (key, failures) -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("-1", "maxRetries");
    assertThatThrownBy(
            () ->
                options
                    .withMaxRetries(1, (key, failures) -> {})
                    .withRateLimiter(RateLimiter.bucket(time)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("test", "maxOf");
  }
}
