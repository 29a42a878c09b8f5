// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

final class DelayHeapTest {

  private static final int KEYS = 300;

  /** Beside a sorted set, with so many entries that removal has to mend the heap both ways. */
  @Property(tries = 200)
  void keepsItsOrderUnderAnyRemoval(@ForAll long seed) {
    Random random = new Random(seed);
    DelayHeap<Integer> heap = new DelayHeap<>();
    Comparator<QueueEntry<Integer>> byDue = Comparator.comparing(entry -> entry.readyAt);
    TreeSet<QueueEntry<Integer>> sorted = new TreeSet<>(byDue.thenComparing(entry -> entry.rank));
    for (int i = 0; i < KEYS; i++) {
      QueueEntry<Integer> entry = new QueueEntry<>(i);
      heap.add(entry, random.nextInt(KEYS));
      sorted.add(entry);
    }
    while (!sorted.isEmpty()) {
      QueueEntry<Integer> entry =
          sorted.stream().skip(random.nextInt(sorted.size())).findFirst().orElseThrow();
      sorted.remove(entry);
      if (random.nextBoolean()) {
        heap.remove(entry);
      } else {
        heap.advance(entry, random.nextInt(KEYS));
        sorted.add(entry);
        assertThat(heap.pollDue(KEYS) == sorted.pollFirst()).isTrue();
      }
      assertThat(heap.size()).isEqualTo(sorted.size());
      assertThat(heap.isEmpty() || heap.nextDue() == sorted.first().readyAt).isTrue();
      if (sorted.size() % 50 == 0) {
        assertThat(heap.soonest(KEYS)).containsExactlyElementsOf(sorted);
      }
    }
    assertThat(heap.pollDue(Long.MAX_VALUE)).isNull();
  }
}
