// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.workqueue.WorkQueue.DelayedKey;
import dev.windlass.workqueue.WorkQueue.ProcessingKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a queue tells of itself: to its listener, and when it is asked. */
final class QueueDiagnosisTest {

  private final ManualScheduler time = new ManualScheduler();
  private final List<String> news = new ArrayList<>();
  private final WorkQueueListener listener =
      new WorkQueueListener() {
        @Override
        public void added(Priority priority) {
          news.add("added " + priority.handicap().toSeconds());
        }

        @Override
        public void taken(Priority priority, Duration waited) {
          news.add("taken " + priority.handicap().toSeconds() + " after " + waited.toMillis());
        }

        @Override
        public void finished(Duration worked) {
          news.add("finished after " + worked.toMillis());
        }

        @Override
        public void retried() {
          news.add("retried");
        }
      };
  private final WorkQueue<String> queue =
      WorkQueue.create(
          WorkQueueOptions.<String>named("test").withScheduler(time).withListener(listener));

  @Test
  void tellsWhatHappensWithPriorityAndTimes() {
    queue.add("a", Priority.LOW);
    queue.add("a", Priority.LOW);
    time.advance(Duration.ofMillis(7));
    try (WorkItem<String> item = queue.poll().orElseThrow()) {
      time.advance(Duration.ofMillis(3));
      queue.add(item.key());
    }
    assertThat(news).containsExactly("added 60", "taken 60 after 7", "finished after 3", "added 0");
  }

  /** An expired delay counts as one retry and one add, as in client-go's metrics. */
  @Test
  void countsADelayOnceAndItsEndOnce() {
    queue.addAfter("a", Duration.ofMillis(5));
    assertThat(news).containsExactly("retried");
    time.advance(Duration.ofMillis(5));
    assertThat(news).containsExactly("retried", "added 0");
    queue.addAfter("a", Duration.ZERO);
    queue.addRateLimited("a");
    assertThat(news).containsExactly("retried", "added 0", "retried", "retried");
    queue.shutDown();
    queue.addAfter("a", Duration.ofMillis(5));
    queue.add("b");
    assertThat(news).as("nothing is added to a queue that has ended").hasSize(4);
  }

  @Test
  void survivesAListenerThatAlwaysThrows() {
    WorkQueueListener broken =
        new WorkQueueListener() {
          @Override
          public void added(Priority priority) {
            throw new IllegalStateException("test");
          }

          @Override
          public void taken(Priority priority, Duration waited) {
            throw new NoClassDefFoundError("test");
          }

          @Override
          public void finished(Duration worked) {
            throw new StackOverflowError("test");
          }

          @Override
          public void retried() {
            throw new UnsupportedOperationException("test");
          }
        };
    WorkQueue<String> fragile =
        WorkQueue.create(
            WorkQueueOptions.<String>named("fragile").withScheduler(time).withListener(broken));
    fragile.addAfter("a", Duration.ofMillis(1));
    fragile.addRateLimited("b");
    time.advance(Duration.ofSeconds(1));
    fragile.add("c");
    for (String key : List.of("a", "b", "c")) {
      try (WorkItem<String> item = fragile.poll().orElseThrow()) {
        assertThat(item.key()).isEqualTo(key);
      }
    }
    assertThat(fragile.inWork()).isEmpty();
  }

  @Test
  void knowsItsLengthByPriority() {
    queue.add("a", Priority.LOW);
    queue.add("b", Priority.LOW);
    queue.add("c");
    queue.add("b");
    assertThat(queue.length()).isEqualTo(3);
    assertThat(queue.lengths()).containsExactly(entry(Priority.NORMAL, 2), entry(Priority.LOW, 1));
    queue.poll();
    queue.poll();
    queue.poll();
    assertThat(queue.lengths())
        .as("a gauge goes back to zero")
        .containsExactly(entry(Priority.NORMAL, 0), entry(Priority.LOW, 0));
  }

  @Test
  void knowsTheLongestWait() {
    assertThat(queue.longestWait()).isZero();
    queue.add("old", Priority.LOW);
    time.advance(Duration.ofMillis(5));
    queue.add("new");
    time.advance(Duration.ofMillis(2));
    assertThat(queue.longestWait()).hasMillis(7);
    queue.add("old");
    assertThat(queue.longestWait()).as("it does not stand first now").hasMillis(2);
    queue.poll();
    assertThat(queue.longestWait()).as("now it does").hasMillis(7);
  }

  /**
   * A key in progress is listed with its thread and duration, and any thread can release it
   * (docs/reliability.md, bug 30).
   */
  @Test
  void knowsWhatIsInWorkLongestFirst() throws Exception {
    queue.add("a", Priority.LOW);
    queue.add("b");
    List<WorkItem<String>> taken = new ArrayList<>();
    Thread worker = new Thread(() -> taken.add(queue.poll().orElseThrow()), "worker-7");
    worker.start();
    worker.join();
    time.advance(Duration.ofMillis(5));
    queue.poll();
    time.advance(Duration.ofMillis(1));
    assertThat(queue.inWork())
        .containsExactly(
            new ProcessingKey<>("b", Priority.NORMAL, Duration.ofMillis(6), "worker-7"),
            new ProcessingKey<>(
                "a", Priority.LOW, Duration.ofMillis(1), Thread.currentThread().getName()));
    taken.get(0).close();
    queue.add("b");
    assertThat(queue.inWork()).extracting(ProcessingKey::key).containsExactly("a");
    assertThat(queue.poll()).isPresent();
  }

  @Test
  void knowsTheKeysThatWaitForTheirTimeSoonestFirst() {
    queue.addAfter("c", Duration.ofMillis(30));
    queue.addRateLimited("a", Priority.LOW);
    for (int i = 0; i < 100; i++) {
      queue.addAfter("later-" + i, Duration.ofMillis(100 + (i * 37) % 100));
    }
    queue.addAfter("b", Duration.ofMillis(20));
    time.advance(Duration.ofMillis(1));
    assertThat(queue.delayedKeys(3))
        .containsExactly(
            new DelayedKey<>("a", Priority.LOW, Duration.ofMillis(4), 1),
            new DelayedKey<>("b", Priority.NORMAL, Duration.ofMillis(19), 0),
            new DelayedKey<>("c", Priority.NORMAL, Duration.ofMillis(29), 0));
    assertThat(queue.delayedKeys(1000))
        .hasSize(103)
        .isSortedAccordingTo((x, y) -> x.dueIn().compareTo(y.dueIn()));
    assertThat(queue.delayedKeys(0)).isEmpty();
    assertThat(queue.delayed()).isEqualTo(103);
    assertThatThrownBy(() -> queue.delayedKeys(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
    queue.shutDown();
    assertThat(queue.delayedKeys(3)).isEmpty();
  }

  /** A key in work may wait as well: for its retry. */
  @Test
  void saysWhenAKeyIsDue() {
    queue.addAfter("a", Duration.ofMillis(30));
    queue.add("b");
    queue.addAfter("b", Duration.ofMillis(30));
    time.advance(Duration.ofMillis(10));
    assertThat(queue.dueIn("a")).contains(Duration.ofMillis(20));
    assertThat(queue.dueIn("b")).as("is ready").isEmpty();
    assertThat(queue.dueIn("c")).as("is unknown").isEmpty();
    try (WorkItem<String> item = queue.poll().orElseThrow()) {
      queue.addRateLimited(item.key());
      assertThat(queue.dueIn("b")).contains(Duration.ofMillis(5));
    }
  }

  /** Nobody could take it before; client-go counts from the add, as {@code metrics.md} says. */
  @Test
  void countsAKeyThatWasAddedInWorkWhenItIsGivenBack() {
    List<String> told = new ArrayList<>();
    ManualScheduler clock = new ManualScheduler();
    WorkQueue<String> busy =
        WorkQueue.create(
            WorkQueueOptions.<String>named("busy")
                .withScheduler(clock)
                .withListener(
                    new WorkQueueListener() {
                      @Override
                      public void added(Priority priority) {
                        told.add("added");
                      }

                      @Override
                      public void taken(Priority priority, Duration waited) {
                        told.add("taken after " + waited.toSeconds() + " s");
                      }
                    }));
    busy.add("hot");
    WorkItem<String> item = busy.poll().orElseThrow();
    busy.add("hot");
    clock.advance(Duration.ofSeconds(30));
    assertThat(busy.length()).isZero();
    assertThat(told).containsExactly("added", "taken after 0 s");
    item.close();
    assertThat(busy.length()).isEqualTo(1);
    clock.advance(Duration.ofSeconds(2));
    busy.poll().orElseThrow().close();
    assertThat(told).containsExactly("added", "taken after 0 s", "added", "taken after 2 s");
  }
}
