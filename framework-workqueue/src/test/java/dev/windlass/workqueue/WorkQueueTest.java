// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testsupport.OddScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class WorkQueueTest {

  private final ManualScheduler time = new ManualScheduler();
  private final WorkQueue<String> queue =
      WorkQueue.create(WorkQueueOptions.<String>named("test").withScheduler(time));

  /** Takes everything that is ready, working on one key at a time. */
  private List<String> drain() {
    List<String> keys = new ArrayList<>();
    for (var next = queue.poll(); next.isPresent(); next = queue.poll()) {
      try (WorkItem<String> item = next.get()) {
        keys.add(item.key());
      }
    }
    return keys;
  }

  private WorkItem<String> poll() {
    return queue.poll().orElseThrow();
  }

  @Nested
  final class Adding {

    /** First in, first out for distinct keys. */
    @Test
    void keepsTheOrderOfArrival() {
      queue.add("c");
      queue.add("a");
      queue.add("b");
      assertThat(drain()).containsExactly("c", "a", "b");
    }

    /** Adding a key that already waits changes nothing. */
    @Test
    void handsOutOnceWhatWasAddedManyTimes() {
      for (int i = 0; i < 10; i++) {
        queue.add("a");
      }
      assertThat(queue.length()).isEqualTo(1);
      assertThat(drain()).containsExactly("a");
    }

    /** The key is handed out once more, as soon as its current worker has finished. */
    @Test
    void handsOutOnceMoreWhatWasAddedWhileInWork() {
      queue.add("a");
      WorkItem<String> first = poll();
      for (int i = 0; i < 10; i++) {
        queue.add("a");
      }
      assertThat(queue.poll()).as("a second worker gets nothing").isEmpty();
      first.close();
      assertThat(drain()).containsExactly("a");
    }

    /** An invalid key can't enter. */
    @Test
    void refusesNull() {
      assertThatThrownBy(() -> queue.add(nothing())).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> queue.addAfter(nothing(), Duration.ofSeconds(1)))
          .isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> queue.addRateLimited(nothing()))
          .isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> queue.add("a", nothing())).hasMessageContaining("Priority.NORMAL");
      assertThatThrownBy(() -> queue.addAfter("a", Duration.ofSeconds(1), nothing()))
          .hasMessageContaining("Priority.NORMAL");
      assertThatThrownBy(() -> queue.addRateLimited("a", nothing()))
          .hasMessageContaining("Priority.NORMAL");
      assertThat(queue.length() + queue.delayed()).isZero();
    }

    /** Keys whose hash codes are all alike are told apart all the same. */
    @Test
    void tellsKeysApartByEqualsAlone() {
      record Same(int id) {
        @Override
        public int hashCode() {
          return 7;
        }
      }
      WorkQueue<Same> other =
          WorkQueue.create(WorkQueueOptions.<Same>named("same").withScheduler(time));
      List<WorkItem<Same>> items = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        other.add(new Same(i));
        other.add(new Same(i));
      }
      for (int i = 0; i < 200; i++) {
        items.add(other.poll().orElseThrow());
        assertThat(items.get(i).key()).isEqualTo(new Same(i));
      }
      assertThat(other.poll()).isEmpty();
      for (int i = 0; i < 200; i += 2) {
        items.get(i).close();
        other.add(new Same(i + 1));
      }
      assertThat(other.length()).as("the odd ones are in work").isZero();
      for (int i = 1; i < 200; i += 2) {
        items.get(i).close();
      }
      assertThat(other.length()).isEqualTo(100);
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T nothing() {
      return null;
    }
  }

  @Nested
  final class GivingBack {

    /** The key was never away in between, and yet an old item has no power over it. */
    @Test
    void isNotDoneByAnItemOfAnEarlierHandOut() {
      queue.add("a");
      WorkItem<String> first = poll();
      queue.add("a");
      first.close();
      WorkItem<String> second = poll();
      first.close();
      queue.add("a");
      assertThat(queue.poll()).as("the second worker still has it").isEmpty();
      second.close();
      assertThat(drain()).containsExactly("a");
    }
  }

  @Nested
  final class Delays {

    /**
     * Only differences of the monotonic clock count, even while its readings overflow
     * (docs/reliability.md, bug 34).
     */
    @Test
    void surviveAClockThatOverflows() {
      long origin = Long.MAX_VALUE - Duration.ofMillis(15).toNanos();
      WorkQueue<String> late =
          WorkQueue.create(
              WorkQueueOptions.<String>named("late")
                  .withScheduler(
                      new OddScheduler(
                          () -> origin + time.nanoTime(),
                          (task, delay) -> time.schedule(task, delay))));
      late.addAfter("c", Duration.ofMillis(30));
      late.addAfter("b", Duration.ofMillis(20));
      late.addAfter("a", Duration.ofMillis(10));
      late.add("low", new Priority(Duration.ofMillis(25)));
      time.advance(Duration.ofMillis(29));
      assertThat(late.length()).isEqualTo(3);
      time.advance(Duration.ofMillis(1));
      for (String key : List.of("a", "b", "c", "low")) {
        assertThat(late.poll().orElseThrow().key()).isEqualTo(key);
      }
    }

    /** Exactly then. */
    @Test
    void makeTheKeyReadyWhenTheyEnd() {
      queue.addAfter("a", Duration.ofMillis(50));
      time.advance(Duration.ofMillis(49));
      assertThat(queue.length()).isZero();
      time.advance(Duration.ofMillis(1));
      assertThat(drain()).containsExactly("a");
    }

    /** The earlier deadline wins; the later one does not fire. */
    @Test
    void keepTheEarlierDeadlineOfTheSameKey() {
      queue.addAfter("a", Duration.ofMillis(70));
      queue.addAfter("a", Duration.ofMillis(50));
      queue.addAfter("a", Duration.ofMillis(60));
      time.advance(Duration.ofMillis(50));
      assertThat(drain()).containsExactly("a");
      time.advance(Duration.ofSeconds(1));
      assertThat(drain()).as("the later deadlines are gone").isEmpty();
    }

    /**
     * client-go keeps the delay and hands out such a key a second time, which costs a reconcile.
     */
    @Test
    void areSupersededByAnImmediateAdd() {
      queue.addAfter("a", Duration.ofSeconds(1));
      queue.add("a");
      assertThat(drain()).containsExactly("a");
      time.advance(Duration.ofMinutes(1));
      assertThat(drain()).isEmpty();
      assertThat(time.pending()).as("and so is their alarm").isEmpty();
    }

    @Test
    void mayBeEndless() {
      queue.addAfter("never", Duration.ofSeconds(Long.MAX_VALUE));
      queue.addAfter("soon", Duration.ofMillis(1));
      time.advance(Duration.ofDays(1));
      assertThat(drain()).containsExactly("soon");
      assertThat(queue.delayedKeys(1).get(0).dueIn()).isEqualTo(Duration.ofDays(36_500 - 1));
    }

    /** client-java drops delayed keys silently above 1,000. */
    @Test
    void loseNothingInAnyNumber() {
      for (int i = 0; i < 20_000; i++) {
        queue.addAfter("key-" + i, Duration.ofMillis(1 + i % 100));
      }
      time.advance(Duration.ofMillis(100));
      assertThat(drain()).hasSize(20_000).doesNotHaveDuplicates();
    }

    @Test
    void setOneAlarmAtATime() {
      for (int i = 1000; i > 0; i--) {
        queue.addAfter("key-" + i, Duration.ofMillis(i));
      }
      assertThat(time.pending()).containsExactly(Duration.ofMillis(1));
    }

    /** An alarm that rings while it is called off must not leave a second one beside the next. */
    @Test
    void setOneAlarmAtATimeEvenIfOneRangTooLate() {
      List<Runnable> rung = new ArrayList<>();
      WorkQueue<String> hasty =
          WorkQueue.create(
              WorkQueueOptions.<String>named("hasty")
                  .withScheduler(
                      new OddScheduler(
                          time::nanoTime,
                          (task, delay) -> {
                            rung.add(task);
                            return time.schedule(task, delay);
                          })));
      hasty.addAfter("a", Duration.ofSeconds(1));
      hasty.add("a");
      hasty.addAfter("b", Duration.ofSeconds(5));
      rung.get(0).run();
      assertThat(time.pending()).containsExactly(Duration.ofSeconds(5));
    }
  }

  @Nested
  final class RateLimits {

    /**
     * Null counts as a failure of the limiter; any duration is accepted (docs/reliability.md, I2).
     */
    @Test
    void takeAnyWait() {
      List<Duration> waits = new ArrayList<>();
      WorkQueue<String> odd =
          WorkQueue.create(
              WorkQueueOptions.<String>named("odd")
                  .withScheduler(time)
                  .withRateLimiter(
                      new BrokenLimiter() {
                        @Override
                        public Duration next(String key, int failures) {
                          return waits.remove(0);
                        }
                      }));
      waits.add(Adding.nothing());
      waits.add(Duration.ofSeconds(Long.MIN_VALUE));
      waits.add(Duration.ofSeconds(Long.MAX_VALUE));
      assertThat(odd.addRateLimited("null")).isTrue();
      assertThat(odd.addRateLimited("negative")).isTrue();
      assertThat(odd.addRateLimited("endless")).isTrue();
      assertThat(odd.poll().orElseThrow().key()).isEqualTo("negative");
      time.advance(Duration.ofSeconds(1));
      assertThat(odd.poll().orElseThrow().key()).isEqualTo("null");
      assertThat(odd.delayed()).isEqualTo(1);
    }

    /** 5, 10, 20 ms, ... */
    @Test
    void doubleThePauseAtEachFailure() {
      for (int millis : new int[] {5, 10, 20, 40}) {
        queue.addRateLimited("a");
        time.advance(Duration.ofMillis(millis).minusNanos(1));
        assertThat(queue.length()).isZero();
        time.advance(Duration.ofNanos(1));
        assertThat(drain()).containsExactly("a");
      }
      assertThat(queue.retries("a")).isEqualTo(4);
    }

    /** The attempt counts all the same. */
    @Test
    void waitForTheLongerOfTheBackOffAndTheMinimum() {
      queue.addRateLimited("a", Priority.NORMAL, Duration.ofSeconds(6));
      assertThat(queue.dueIn("a")).contains(Duration.ofSeconds(6));
      time.advance(Duration.ofSeconds(6));
      assertThat(drain()).containsExactly("a");
      queue.addRateLimited("a", Priority.NORMAL, Duration.ofMillis(9));
      assertThat(queue.dueIn("a")).contains(Duration.ofMillis(10));
    }

    /** After forget, nothing is counted and the back-off starts anew. */
    @Test
    void startAnewAfterForget() {
      for (int i = 0; i < 10; i++) {
        queue.addRateLimited("a");
        time.advance(Duration.ofSeconds(10));
        assertThat(drain()).containsExactly("a");
      }
      queue.forget("a");
      assertThat(queue.retries("a")).isZero();
      queue.addRateLimited("a");
      time.advance(Duration.ofMillis(5));
      assertThat(drain()).containsExactly("a");
    }

    /** A limiter is told the count of the queue, whether or not the retry limit applies. */
    @Test
    void areCountedByTheQueue() {
      List<Integer> counts = new ArrayList<>();
      WorkQueue<String> counting =
          WorkQueue.create(
              WorkQueueOptions.<String>named("counting")
                  .withScheduler(time)
                  .withRateLimiter(
                      new RateLimiter<>() {
                        @Override
                        public Duration next(String key, int failures) {
                          counts.add(failures);
                          return Duration.ZERO;
                        }
                      }));
      counting.forget("a");
      counting.addRateLimited("a");
      counting.addUnlimited("a", Priority.NORMAL, Duration.ZERO);
      counting.addRateLimited("b");
      assertThat(counting.retries("a")).isEqualTo(2);
      counting.forget("a");
      counting.forget("a");
      assertThat(counting.retries("a")).isZero();
      counting.addRateLimited("a");
      counting.addRateLimited("b");
      assertThat(counts).containsExactly(0, 1, 0, 0, 1);
    }

    /** Whatever the limiter, each key waits from the beginning again, and no other key does. */
    @Test
    void areResetForOneKeyAndNoOther() {
      RateLimiter<String> tokens = RateLimiter.bucket(1_000, 1_000, time);
      List<RateLimiter<String>> limiters =
          List.of(
              RateLimiter.exponential(),
              RateLimiter.maxOf(tokens, RateLimiter.exponential()),
              RateLimiter.maxOf(RateLimiter.exponential(), tokens),
              RateLimiter.<String>exponential().withMaxWait(Duration.ofMillis(20)),
              RateLimiter.fastSlow(Duration.ofMillis(5), Duration.ofMillis(20), 2));
      for (RateLimiter<String> limiter : limiters) {
        WorkQueue<String> limited =
            WorkQueue.create(
                WorkQueueOptions.<String>named("limited")
                    .withScheduler(time)
                    .withRateLimiter(limiter));
        List<Duration> first = waits(limited, "a", 3);
        assertThat(first).startsWith(Duration.ofMillis(5)).endsWith(Duration.ofMillis(20));
        assertThat(waits(limited, "b", 2)).isEqualTo(first.subList(0, 2));
        limited.forget("a");
        assertThat(waits(limited, "a", 2)).isEqualTo(first.subList(0, 2));
        assertThat(waits(limited, "b", 1)).isEqualTo(first.subList(2, 3));
      }
    }

    /** How long a key waits after each of its failures. */
    private List<Duration> waits(WorkQueue<String> limited, String key, int failures) {
      List<Duration> waits = new ArrayList<>();
      for (int i = 0; i < failures; i++) {
        limited.addRateLimited(key);
        waits.add(limited.dueIn(key).orElseThrow());
        time.advance(waits.get(i));
        limited.poll().orElseThrow().close();
      }
      return waits;
    }

    /** 5 ms, doubled up to 1000 s, as the queue hands the keys out. */
    @Test
    void doubleUpToAThousandSeconds() {
      List<Duration> waits = waits(queue, "a", 20);
      assertThat(waits.get(0)).hasMillis(5);
      assertThat(waits.get(17)).hasMillis(5L << 17);
      assertThat(waits.subList(18, 20)).containsOnly(Duration.ofSeconds(1000));
    }

    /** Lossless, whatever user code does. */
    @Test
    void loseNothingWhenTheLimiterFails() {
      WorkQueue<String> fragile =
          WorkQueue.create(
              WorkQueueOptions.<String>named("fragile")
                  .withScheduler(time)
                  .withRateLimiter(new BrokenLimiter()));
      fragile.addRateLimited("a");
      fragile.forget("a");
      time.advance(Duration.ofSeconds(1));
      assertThat(fragile.poll()).isPresent();
    }

    private static class BrokenLimiter implements RateLimiter<String> {
      @Override
      public Duration next(String key, int failures) {
        throw new IllegalStateException("test");
      }
    }
  }

  @Nested
  final class ShuttingDown {

    @Test
    void isNotNeededToEndAWait() throws Exception {
      FutureTask<Optional<WorkItem<String>>> worker = new FutureTask<>(queue::take);
      Thread thread = new Thread(worker);
      thread.start();
      thread.interrupt();
      assertThatThrownBy(() -> worker.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(InterruptedException.class);
      queue.add("a");
      assertThat(queue.poll()).isPresent();
    }

    /** An empty queue blocks its workers; a shut-down wakes all of them. */
    @Test
    void wakesEveryWorkerThatWaits() throws Exception {
      List<CompletableFuture<Optional<WorkItem<String>>>> workers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        workers.add(
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    return queue.take();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                },
                task -> new Thread(task).start()));
      }
      queue.shutDown();
      queue.shutDown();
      for (CompletableFuture<Optional<WorkItem<String>>> worker : workers) {
        assertThat(worker.get(20, TimeUnit.SECONDS)).isEmpty();
      }
      assertThat(queue.isShutDown()).isTrue();
    }
  }

  /** Whoever listens, and whoever else, may use the queue meanwhile. */
  @Test
  void callsItsListenerWithoutALock() {
    List<String> news = new ArrayList<>();
    List<WorkQueue<String>> self = new ArrayList<>();
    WorkQueueListener asking =
        new WorkQueueListener() {
          private void ask(String what) {
            FutureTask<Integer> other = new FutureTask<>(() -> self.get(0).inWork().size());
            new Thread(other).start();
            try {
              news.add(what + " " + other.get(20, TimeUnit.SECONDS));
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          }

          @Override
          public void added(Priority priority) {
            ask("added");
          }

          @Override
          public void taken(Priority priority, Duration waited) {
            ask("taken");
          }

          @Override
          public void finished(Duration worked) {
            ask("finished");
          }

          @Override
          public void retried() {
            ask("retried");
          }
        };
    self.add(
        WorkQueue.create(
            WorkQueueOptions.<String>named("asked").withScheduler(time).withListener(asking)));
    self.get(0).addAfter("a", Duration.ofMillis(1));
    time.advance(Duration.ofMillis(1));
    self.get(0).poll().orElseThrow().close();
    assertThat(news).containsExactly("retried 0", "added 0", "taken 1", "finished 0");
  }

  @Test
  void needsAName() {
    assertThatThrownBy(() -> WorkQueueOptions.named(" ")).hasMessageContaining("name");
  }
}
