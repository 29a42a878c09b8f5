// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testsupport.Eventually;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class DrainTest {

  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final ManualScheduler time = new ManualScheduler();
  private final WorkQueue<String> queue =
      WorkQueue.create(WorkQueueOptions.<String>named("test").withScheduler(time));

  /** A drain that waits for its end by now. */
  private final class Drain {
    final FutureTask<Boolean> result = new FutureTask<>(() -> queue.shutDownWithDrain(LIMIT));
    final Thread thread = new Thread(result, "drain");

    Drain() {
      int before = time.pending().size();
      thread.start();
      Eventually.stuckUntil(() -> time.pending().size() != before);
    }

    boolean get() throws Exception {
      return result.get(20, TimeUnit.SECONDS);
    }
  }

  private WorkItem<String> poll() {
    return queue.poll().orElseThrow();
  }

  @Test
  void ofAnEmptyQueueIsDoneAtOnce() throws Exception {
    assertThat(queue.shutDownWithDrain(LIMIT)).isTrue();
    assertThat(queue.isShutDown()).isTrue();
    assertThat(queue.take()).isEmpty();
    assertThat(time.pending()).isEmpty();
  }

  /** client-go waits only for keys in progress; this queue also waits for those that are ready. */
  @Test
  void waitsUntilNothingIsReadyOrInWork() throws Exception {
    queue.add("in work");
    queue.add("ready");
    WorkItem<String> first = poll();
    Drain drain = new Drain();
    queue.add("late");
    first.close();
    assertThat(drain.result.isDone()).isFalse();
    WorkItem<String> second = poll();
    assertThat(second.key()).isEqualTo("ready");
    assertThat(drain.result.isDone()).isFalse();
    second.close();
    assertThat(drain.get()).isTrue();
    assertThat(queue.take()).isEmpty();
    assertThat(time.pending()).as("its alarm is called off").isEmpty();
  }

  /**
   * A key that was added while in progress, before the end, is still processed, as in client-go.
   */
  @Test
  void handsOutOnceMoreWhatWasAddedWhileInWork() throws Exception {
    queue.add("a");
    WorkItem<String> first = poll();
    queue.add("a");
    Drain drain = new Drain();
    first.close();
    assertThat(drain.result.isDone()).isFalse();
    queue.take().orElseThrow().close();
    assertThat(drain.get()).isTrue();
  }

  @Test
  void endsUnfinishedAtItsLimit() throws Exception {
    queue.add("a");
    WorkItem<String> item = poll();
    Drain drain = new Drain();
    time.advance(LIMIT.minusNanos(1));
    assertThat(drain.result.isDone()).isFalse();
    time.advance(Duration.ofNanos(1));
    assertThat(drain.get()).isFalse();
    item.close();
    assertThat(queue.shutDownWithDrain(LIMIT)).as("a second try").isTrue();
  }

  @Test
  void onlyLooksIfItsLimitIsZeroOrLess() throws Exception {
    queue.add("a");
    assertThat(queue.shutDownWithDrain(Duration.ZERO)).isFalse();
    assertThat(queue.shutDownWithDrain(Duration.ofSeconds(Long.MIN_VALUE))).isFalse();
    assertThat(time.pending()).isEmpty();
    poll().close();
    assertThat(queue.shutDownWithDrain(Duration.ZERO)).isTrue();
  }

  @Test
  void mayHaveAnEndlessLimit() throws Exception {
    queue.add("a");
    FutureTask<Boolean> drain =
        new FutureTask<>(() -> queue.shutDownWithDrain(Duration.ofSeconds(Long.MAX_VALUE)));
    new Thread(drain, "drain").start();
    Eventually.stuckUntil(() -> !time.pending().isEmpty());
    poll().close();
    assertThat(drain.get(20, TimeUnit.SECONDS)).isTrue();
  }

  /** A plain shut-down ends a drain and does not wait itself, as in client-go. */
  @Test
  void isEndedByAPlainShutDown() throws Exception {
    queue.add("a");
    WorkItem<String> item = poll();
    Drain drain = new Drain();
    queue.shutDown();
    assertThat(drain.get()).isFalse();
    item.close();
  }

  @Test
  void mayFollowAPlainShutDown() throws Exception {
    queue.add("a");
    queue.shutDown();
    WorkItem<String> item = poll();
    Drain drain = new Drain();
    item.close();
    assertThat(drain.get()).isTrue();
  }

  @Test
  void mayBeWaitedForBySeveralThreads() throws Exception {
    queue.add("a");
    WorkItem<String> item = poll();
    Drain one = new Drain();
    Drain other = new Drain();
    item.close();
    assertThat(one.get()).isTrue();
    assertThat(other.get()).isTrue();
  }

  @Test
  void leavesTheQueueShutDownIfItIsInterrupted() throws Exception {
    queue.add("a");
    WorkItem<String> item = poll();
    Drain drain = new Drain();
    drain.thread.interrupt();
    assertThatThrownBy(drain::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(queue.isShutDown()).isTrue();
    drain.thread.join(20_000);
    assertThat(time.pending()).isEmpty();
    item.close();
  }
}
