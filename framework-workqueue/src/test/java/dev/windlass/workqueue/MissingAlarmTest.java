// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.OddScheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A scheduler that fails delays keys, and loses none. */
@Timeout(10)
final class MissingAlarmTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualScheduler time = new ManualScheduler();
  private final AtomicInteger refusals = new AtomicInteger();
  private final AtomicInteger readings = new AtomicInteger();

  private final Scheduler failing =
      new OddScheduler(
          () -> {
            readings.incrementAndGet();
            return time.nanoTime();
          },
          (task, delay) -> {
            if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
              throw new IllegalStateException("no thread");
            }
            return time.schedule(task, delay);
          });

  private final WorkQueue<String> queue =
      WorkQueue.create(WorkQueueOptions.<String>named("test").withScheduler(failing));

  /** It is the scheduler that failed, and the key is in the queue. */
  private void addWithoutAlarm(String key) {
    refusals.set(1);
    assertThatCode(() -> queue.addAfter(key, SECOND)).doesNotThrowAnyException();
    assertThat(time.pending()).isEmpty();
    assertThat(queue.delayed()).isEqualTo(1);
  }

  private void assertWakes(String key) {
    time.advance(SECOND);
    assertThat(queue.length()).as("woken by the alarm, and by nobody who looks").isEqualTo(1);
    assertThat(queue.poll().orElseThrow().key()).isEqualTo(key);
  }

  @Test
  void isSetByThePollThatFindsNothing() {
    addWithoutAlarm("a");
    assertThat(queue.poll()).isEmpty();
    assertWakes("a");
  }

  @Test
  void isSetByTheTakeThatFindsAnotherKey() throws Exception {
    addWithoutAlarm("a");
    refusals.set(1);
    queue.add("b");
    assertThat(time.pending()).isEmpty();
    assertThat(queue.take().orElseThrow().key()).isEqualTo("b");
    assertWakes("a");
  }

  @Test
  void isSetByTheEndOfTheWorkOnAnotherKey() {
    queue.add("b");
    WorkItem<String> item = queue.poll().orElseThrow();
    time.advance(SECOND);
    addWithoutAlarm("a");
    item.close();
    assertThat(time.pending()).as("from now on, not from the hand-out on").containsExactly(SECOND);
    assertWakes("a");
  }

  /** Nobody else may come for hours. */
  @Test
  void isSetByAWorkerThatWaits() throws Exception {
    FutureTask<Optional<WorkItem<String>>> taken = new FutureTask<>(queue::take);
    Thread worker = new Thread(taken);
    worker.setDaemon(true);
    worker.start();
    Eventually.until(() -> worker.getState() == Thread.State.WAITING);
    refusals.set(1);
    queue.addAfter("a", SECOND);
    Eventually.until(() -> !time.pending().isEmpty());
    time.advance(SECOND);
    assertThat(taken.get(20, TimeUnit.SECONDS).orElseThrow().key()).isEqualTo("a");
  }

  /** The one for the next key fails when that of the first rings. */
  @Test
  void isSetByTheCallThatTakesTheFirstOfTwoKeys() {
    queue.addAfter("a", SECOND);
    queue.addAfter("b", SECOND.multipliedBy(2));
    refusals.set(1);
    time.advance(SECOND);
    assertThat(time.pending()).isEmpty();
    assertThat(queue.poll().orElseThrow().key()).isEqualTo("a");
    assertWakes("b");
  }

  /** The usual case stays as cheap as it was. */
  @Test
  void costsNoReadingOfTheClockWhereNoneIsMissing() {
    queue.addAfter("a", SECOND);
    queue.add("b");
    WorkItem<String> item = queue.poll().orElseThrow();
    int before = readings.get();
    item.close();
    assertThat(readings).hasValue(before);
  }
}
