// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.windlass.scheduling.ManualScheduler;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a queue retains, and what it allocates. Covers docs/reliability.md, J3 and bug 22. */
final class QueueMemoryTest {

  private final ManualScheduler time = new ManualScheduler();
  private final WorkQueue<Object> queue =
      WorkQueue.create(WorkQueueOptions.<Object>named("test").withScheduler(time));

  /** Lets something happen to a key that nobody else holds, and then waits until it is gone. */
  private static void assertNotRetained(Consumer<Object> life) {
    WeakReference<Object> key = live(life);
    for (int i = 0; i < 100 && key.get() != null; i++) {
      System.gc();
    }
    assertThat(key.get()).as("the key is still held").isNull();
  }

  private static WeakReference<Object> live(Consumer<Object> life) {
    Object key = new Object();
    life.accept(key);
    return new WeakReference<>(key);
  }

  /** A key that is done is not retained, although others wait. */
  @Test
  void retainsNoKeyThatWasGivenBack() {
    queue.add("before");
    assertNotRetained(
        key -> {
          queue.add(key);
          queue.add("after");
          queue.poll().orElseThrow().close();
          queue.poll().orElseThrow().close();
        });
    assertThat(queue.length()).isEqualTo(1);
  }

  /** An item that its worker keeps does not retain the keys next to it either. */
  @Test
  void retainsNoNeighbourOfAnItemThatIsKept() {
    List<WorkItem<Object>> kept = new ArrayList<>();
    assertNotRetained(
        key -> {
          queue.add("kept");
          queue.add(key);
          kept.add(queue.poll().orElseThrow());
          queue.poll().orElseThrow().close();
          kept.get(0).close();
        });
    assertThat(kept).hasSize(1);
  }

  /** Delays that were superseded or dropped, and failures that were forgotten. */
  @Test
  void retainsNoKeyWhoseDelayEndedOrWhoseFailuresWereForgotten() {
    queue.addAfter("later", Duration.ofHours(1));
    assertNotRetained(
        key -> {
          queue.addAfter(key, Duration.ofSeconds(1));
          queue.add(key);
          queue.poll().orElseThrow().close();
          queue.addRateLimited(key);
          time.advance(Duration.ofSeconds(1));
          queue.forget(key);
          queue.poll().orElseThrow().close();
        });
    assertNotRetained( // nor by the place behind the last that waits
        key -> {
          queue.addAfter(key, Duration.ofHours(2));
          queue.add(key);
          queue.poll().orElseThrow().close();
        });
    assertNotRetained(
        key -> {
          queue.addAfter(key, Duration.ofSeconds(1));
          queue.shutDown();
        });
    assertThat(time.pending()).isEmpty();
  }

  /** A peak of many keys does not cost memory forever. */
  @Test
  void givesBackTheMemoryOfAPeak() {
    for (int i = 0; i < 300_000; i++) {
      queue.addAfter(i, Duration.ofMillis(1 + i % 7));
    }
    time.advance(Duration.ofSeconds(1));
    for (int i = 0; i < 300_000; i++) {
      queue.poll().orElseThrow().close();
    }
    queue.add("a");
    long before = allocated();
    queue.poll().orElseThrow().close(); // the table is made anew here, and small
    assertThat(allocated() - before).isLessThan(10_000);
    assertThat(queue.length() + queue.delayed()).isZero();
  }

  /** Nor does a peak of many groups, and of those that remain, only the ready ones are kept. */
  @Test
  void givesBackTheMemoryOfManyGroups() {
    Set<Object> groups = Collections.newSetFromMap(new WeakHashMap<>());
    WorkQueue<Integer> grouped =
        WorkQueue.create(
            WorkQueueOptions.<Integer>named("test")
                .withScheduler(time)
                .withGrouping(
                    key -> {
                      Object group = new Object();
                      groups.add(group);
                      return group;
                    }));
    for (int i = 0; i < 100_000; i++) {
      grouped.add(i, i % 2 == 0 ? Priority.NORMAL : Priority.LOW);
    }
    for (int i = 0; i < 99_990; i++) {
      grouped.poll().orElseThrow().close();
    }
    for (int i = 0; i < 100 && groups.size() > 10; i++) {
      System.gc();
    }
    assertThat(groups).hasSizeLessThanOrEqualTo(10);
    assertThat(grouped.length()).isEqualTo(10);
  }

  /** A storm of events must not become a storm of garbage. */
  @Test
  void allocatesNothingForAKeyThatWaitsAlready() {
    Object key = new Object();
    Duration later = Duration.ofHours(1);
    queue.add(key);
    queue.addAfter("delayed", Duration.ofSeconds(1));
    queue.add("in work");
    queue.poll();
    queue.add("x");
    for (int round = 0; round < 2; round++) { // the first one loads classes
      long before = allocated();
      for (int i = 0; i < 100_000; i++) {
        queue.add(key);
        queue.add(key, Priority.LOW);
        queue.addAfter("delayed", later);
      }
      if (round > 0) {
        assertThat(allocated() - before).isLessThan(10_000);
      }
    }
  }

  /** A key waits once, however often it is added. */
  @Test
  void collapsesAStormOnOneKey() {
    AtomicInteger runs = new AtomicInteger();
    for (int second = 0; second < 10; second++) {
      for (int i = 0; i < 10_000; i++) {
        queue.add("hot");
        assertThat(queue.length() <= 1).isTrue();
        if (i % 100 == 0) {
          queue
              .poll()
              .ifPresent(
                  item -> {
                    queue.add("hot");
                    queue.add("hot");
                    runs.incrementAndGet();
                    item.close();
                  });
        }
        time.advance(Duration.ofNanos(100_000));
      }
    }
    assertThat(runs).as("one run per time that a worker asked").hasValue(1_000);
    assertThat(queue.length()).isEqualTo(1);
  }

  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
