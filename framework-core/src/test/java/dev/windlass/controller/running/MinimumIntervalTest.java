// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.settings.ControllerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Both alone and through a worker. */
final class MinimumIntervalTest extends WorkerHarness {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration TEN = Duration.ofSeconds(10);

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

  /**
   * The first acts at once, the next ones wait together, and a requeue within the interval, too.
   */
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

  /** What has been quiet for an interval is not slowed down. */
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
