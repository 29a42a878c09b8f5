// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.time.ManualScheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Random operations on the queue beside a model that knows, per key, only the earliest time at
 * which it must be handed out again.
 */
final class WorkQueueModelTest {

  @Property(tries = 300)
  void handsOutEachKeyAtItsEarliestTimeAndToOneWorkerOnly(@ForAll long seed) {
    Random random = new Random(seed);
    ManualScheduler time = new ManualScheduler();
    WorkQueue<Integer> queue =
        WorkQueue.create(WorkQueueOptions.<Integer>named("model").withScheduler(time));
    Map<Integer, Long> owedAt = new HashMap<>(); // key -> when it is owed, in model nanos
    Map<Integer, WorkItem<Integer>> inWork = new HashMap<>();

    for (int i = 0; i < 400; i++) {
      int key = random.nextInt(6);
      switch (random.nextInt(5)) {
        case 0 -> {
          queue.add(key);
          owedAt.put(key, time.nanoTime());
        }
        case 1 -> {
          Duration delay = Duration.ofMillis(random.nextInt(50));
          queue.addAfter(key, delay);
          owedAt.merge(key, time.nanoTime() + delay.toNanos(), Math::min);
        }
        case 2 -> {
          Optional<WorkItem<Integer>> taken = queue.poll();
          if (taken.isPresent()) {
            Integer got = taken.get().key();
            assertThat(inWork).as("exclusive").doesNotContainKey(got);
            assertThat(owedAt.get(got)).as("asked for").isLessThanOrEqualTo(time.nanoTime());
            owedAt.remove(got);
            inWork.put(got, taken.get());
          } else {
            long now = time.nanoTime();
            assertThat(owedAt)
                .as("nothing that is owed may be missing")
                .allSatisfy((k, at) -> assertThat(at > now || inWork.containsKey(k)).isTrue());
          }
        }
        case 3 -> {
          WorkItem<Integer> item = inWork.remove(key);
          if (item != null) {
            item.close();
          }
        }
        default -> time.advance(Duration.ofMillis(random.nextInt(20)));
      }
    }
    inWork.values().forEach(WorkItem::close);
    time.advance(Duration.ofSeconds(1));
    int left = 0;
    for (Optional<WorkItem<Integer>> item = queue.poll(); item.isPresent(); item = queue.poll()) {
      item.get().close();
      left++;
    }
    assertThat(left).as("every key that is owed comes, once").isEqualTo(owedAt.size());
  }
}
