// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.scheduling.ManualScheduler;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A queue whose retries share the budget of a token bucket, besides the back-off of each key. */
final class ThrottledQueueTest {

  private final ManualScheduler time = new ManualScheduler();
  private final WorkQueue<Integer> queue =
      WorkQueue.create(
          WorkQueueOptions.<Integer>named("throttled")
              .withScheduler(time)
              .withRateLimiter(
                  RateLimiter.maxOf(RateLimiter.exponential(), RateLimiter.bucket(time))));

  private void failMany() {
    for (int key = 0; key < 200; key++) {
      queue.addRateLimited(key);
    }
  }

  @Test
  void letsAHundredRetriesThroughAtOnceAndThenTenASecond() {
    failMany();
    assertThat(queue.length()).isZero();
    time.advance(Duration.ofMillis(5));
    assertThat(queue.length()).as("the burst, after the back-off of each").isEqualTo(100);
    time.advance(Duration.ofMillis(995));
    for (int second = 1; second < 10; second++) {
      assertThat(queue.length()).isEqualTo(100 + 10 * second);
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(queue.length()).isEqualTo(200);
  }

  @Test
  void slowsNoEventDown() {
    failMany();
    for (int key = 1_000; key < 2_000; key++) {
      queue.add(key);
    }
    assertThat(queue.length()).isEqualTo(1_000);
  }
}
