// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.scheduling.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * 100,000 keys at once, 10,000 of which always fail, and four workers (docs/reliability.md, J2).
 */
final class QueueLoadTest {

  private static final int KEYS = 100_000;
  private static final int WORKERS = 4;
  private static final int FRESH = KEYS;

  private final ManualScheduler time = new ManualScheduler();
  private final WorkQueue<Integer> queue =
      WorkQueue.create(WorkQueueOptions.<Integer>named("load").withScheduler(time));
  private final int[] runs = new int[KEYS + 1];

  private static boolean fails(int key) {
    return key < KEYS && key % 10 == 0;
  }

  /** Each worker works on one key for a millisecond. Returns whether the fresh one was there. */
  private boolean work() {
    List<WorkItem<Integer>> items = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      Optional<WorkItem<Integer>> next = queue.poll();
      next.ifPresent(items::add);
    }
    time.advance(Duration.ofMillis(1));
    boolean fresh = false;
    for (WorkItem<Integer> item : items) {
      runs[item.key()]++;
      fresh |= item.key() == FRESH;
      if (fails(item.key())) {
        queue.addRateLimited(item.key(), item.priority());
      } else {
        queue.forget(item.key());
      }
      item.close();
    }
    return fresh;
  }

  @Test
  void aFreshKeyIsNextAndRetriesStarveNobody() {
    for (int key = 0; key < KEYS; key++) {
      queue.add(key, Priority.LOW);
    }
    for (int round = 0; round < 50_000; round++) {
      if (round % 100 == 0) {
        queue.add(FRESH);
        assertThat(work()).as("the fresh key is among the next four in round %d", round).isTrue();
      } else {
        work();
      }
    }
    for (int key = 0; key < KEYS; key++) {
      if (fails(key)) {
        assertThat(runs[key] > 5).as("a failing key is tried again and again").isTrue();
      } else {
        assertThat(runs[key] == 1).as("a healthy key is worked on once").isTrue();
      }
    }
    assertThat(queue.length() + queue.delayed()).isEqualTo(KEYS / 10);
  }
}
