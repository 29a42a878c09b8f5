// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class GiveUpHookTest {

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
  void mayHappenAtTheFirstFailure() {
    WorkQueue<String> strict =
        WorkQueue.create(options.withMaxRetries(0, (key, failures) -> givenUp.add(key)));
    assertThat(strict.addRateLimited("a")).isFalse();
    assertThat(givenUp).containsExactly("a");
  }

  @Test
  void continuesIfTheHookThrows() {
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
  void namesWhatItRefuses() {
    assertThatThrownBy(() -> options.withMaxRetries(-1, (key, failures) -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("-1", "maxRetries");
  }

  static Stream<Named<Function<Scheduler, RateLimiter<String>>>> limiters() {
    return Stream.of(
        Named.of("exponential", time -> RateLimiter.exponential()),
        Named.of("bucket", RateLimiter::bucket),
        Named.of("a bucket that is cut off", t -> capped(RateLimiter.bucket(t))),
        Named.of(
            "two buckets", t -> RateLimiter.maxOf(RateLimiter.bucket(t), RateLimiter.bucket(t))),
        Named.of("one of the user that counts nothing", t -> new Constant()));
  }

  private static RateLimiter<String> capped(RateLimiter<String> limiter) {
    return limiter.withMaxWait(Duration.ofSeconds(1));
  }

  private record Constant() implements RateLimiter<String> {
    @Override
    public Duration next(String key, int failures) {
      return Duration.ofMillis(1);
    }
  }

  /** How long a key waits and how often it is tried are two things. */
  @ParameterizedTest
  @MethodSource("limiters")
  void happensWithAnyRateLimiter(Function<Scheduler, RateLimiter<String>> limiter) {
    WorkQueue<String> limited =
        WorkQueue.create(
            options
                .withMaxRetries(2, (key, failures) -> givenUp.add(key + " after " + failures))
                .withRateLimiter(limiter.apply(time)));
    for (int round = 1; round <= 3; round++) {
      assertThat(limited.addRateLimited("a")).isTrue();
      assertThat(limited.addRateLimited("a")).isTrue();
      assertThat(limited.retries("a")).isEqualTo(2);
      assertThat(limited.addRateLimited("a")).isFalse();
      assertThat(givenUp).hasSize(round).containsOnly("a after 3");
    }
    limited.addRateLimited("a");
    limited.forget("a");
    assertThat(limited.retries("a")).isZero();
  }
}
