// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.shutdown;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.manager.Manager;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.testsupport.Logs;
import dev.windlass.testsupport.OddScheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class StopSequenceTest {

  @AutoClose private final Logs logs = Logs.of(Manager.class);

  /** As when there is no memory for one more thread. */
  private final Scheduler exhausted =
      new OddScheduler(() -> 0, (task, delay) -> raise(new OutOfMemoryError("no thread")));

  private final StopSequence endings = new StopSequence(exhausted);

  @Test
  void stopsWhatIsToBeStoppedAlsoIfNoAlarmCanBeSet() {
    CompletableFuture<Duration> stopped = new CompletableFuture<>();
    assertThat(endings.end("it", stopped::complete, endings.in(Duration.ofSeconds(5)))).isTrue();
    assertThat(logs.lines())
        .containsExactly(
            "ERROR Failed to set the alarm for a time limit of the stop; stopping without it");
    assertThat(stopped).isCompletedWithValue(Duration.ofSeconds(5));
  }

  @Test
  void waitsForNobodyIfNoAlarmCanEndTheWait() {
    assertThat(endings.await(new CompletableFuture<>(), Duration.ofSeconds(5))).isFalse();
    assertThat(logs.lines()).hasSize(1);
    assertThat(endings.await(CompletableFuture.completedFuture(1), Duration.ofSeconds(5))).isTrue();
  }

  @Test
  void interruptsWhatOverrunsItsLimitByOneSecond() throws Exception {
    ManualScheduler time = new ManualScheduler();
    StopSequence timed = new StopSequence(time);
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Boolean> inTime =
        CompletableFuture.supplyAsync(
            () -> timed.end("it", limit -> hang(begun), timed.in(Duration.ofSeconds(5))),
            task -> new Thread(task).start());
    begun.await();
    assertThat(time.pending()).containsExactly(Duration.ofSeconds(6));
    time.advance(Duration.ofSeconds(6));
    assertThat(inTime).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(false);
  }

  private static boolean hang(CountDownLatch begun) throws InterruptedException {
    begun.countDown();
    new CountDownLatch(1).await();
    return true;
  }
}
