// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.scheduling.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Records live as long as somebody needs them, and no longer. */
final class RecordingWorkQueueTest {

  private static final class Notes implements KeyRecord {
    private final List<String> reasons = new ArrayList<>();
    private long until = Long.MIN_VALUE;
    private boolean expendable;

    @Override
    public boolean isExpendable() {
      return expendable;
    }

    @Override
    public boolean isEmpty(long now) {
      return reasons.isEmpty() && now >= until;
    }
  }

  private final ManualScheduler time = new ManualScheduler();
  private final RecordingWorkQueue<String, Notes> queue =
      RecordingWorkQueue.create(
          WorkQueueOptions.<String>named("test").withScheduler(time), Notes::new);

  private boolean add(String key, String reason) {
    return queue.add(
        key,
        Priority.NORMAL,
        notes -> {
          notes.reasons.add(reason);
          return !reason.equals("no");
        });
  }

  private List<String> take(String key) {
    return queue.record(
        key,
        notes -> {
          List<String> taken = List.copyOf(notes.reasons);
          notes.reasons.clear();
          return taken;
        });
  }

  private Map<String, List<String>> all() {
    Map<String, List<String>> all = new TreeMap<>();
    queue.forEach((key, notes) -> all.put(key, List.copyOf(notes.reasons)));
    return all;
  }

  @Test
  void aWorkerFindsWhatWasRecordedWhenItsKeyWasAdded() {
    assertThat(add("a", "one")).isTrue();
    assertThat(add("a", "two")).isTrue();
    WorkItem<String> item = queue.poll().orElseThrow();
    assertThat(take("a")).containsExactly("one", "two");
    assertThat(add("a", "three")).as("while it is processed").isTrue();
    item.close();
    assertThat(all()).containsExactly(Map.entry("a", List.of("three")));
  }

  @Test
  void anUpdateCanKeepTheKeyOutOfTheQueue() {
    assertThat(add("a", "no")).isFalse();
    assertThat(queue.length()).isZero();
    assertThat(all()).as("but the record stays").containsOnlyKeys("a");
    assertThat(queue.add("b", Priority.NORMAL, notes -> false)).isFalse();
    assertThat(all()).as("an empty one does not").containsOnlyKeys("a");
    queue.shutDown();
    assertThat(add("c", "late")).isFalse();
    assertThat(all()).containsOnlyKeys("a");
  }

  @Test
  void aRecordGoesWithTheLastUseOfItsKey() {
    queue.add("a");
    assertThat(all()).containsOnlyKeys("a");
    try (WorkItem<String> item = queue.poll().orElseThrow()) {
      assertThat(all()).as("being processed").containsOnlyKeys(item.key());
      queue.addRateLimited("a");
    }
    assertThat(all()).as("delayed").containsOnlyKeys("a");
    time.advance(Duration.ofSeconds(1));
    queue.poll().orElseThrow().close();
    assertThat(all()).as("failing").containsOnlyKeys("a");
    queue.forget("a");
    assertThat(all()).isEmpty();
    add("a", "one");
    queue.poll().orElseThrow().close();
    assertThat(all()).as("the record is not empty").containsOnlyKeys("a");
    take("a");
    assertThat(all()).isEmpty();
    queue.addAfter("a", Duration.ofHours(1));
    queue.shutDown();
    assertThat(all()).as("the shutdown has dropped its delay").isEmpty();
  }

  /** What becomes empty by itself is swept: after a minute, or when the table has doubled. */
  @Test
  void aRecordThatBecomesEmptyWithTimeIsSwept() {
    for (int i = 0; i < 1_000; i++) {
      String key = "key-" + i;
      queue.record(key, notes -> notes.until = time.nanoTime() + Duration.ofSeconds(1).toNanos());
    }
    time.advance(Duration.ofSeconds(1));
    assertThat(all()).hasSize(1_000);
    add("other", "one");
    queue.poll().orElseThrow().close();
    assertThat(all()).as("not yet").hasSize(1_001);
    time.advance(Duration.ofSeconds(59));
    take("other");
    add("other", "one");
    queue.poll().orElseThrow().close();
    assertThat(all()).containsOnlyKeys("other");
    for (int i = 0; i < 5_000; i++) {
      String key = "key-" + i;
      queue.record(key, notes -> notes.until = time.nanoTime() + 1);
      time.advance(Duration.ofNanos(1));
    }
    assertThat(all()).hasSizeLessThan(1_100);
  }

  @Test
  void aRecordThatIsExpendableIsKeptOnlyAmongFewKeys() {
    for (int i = 0; i < 5_000; i++) {
      add("key-" + i, "one");
      queue.record("key-" + i, notes -> notes.expendable = true);
    }
    for (var item = queue.poll(); item.isPresent(); item = queue.poll()) {
      item.get().close();
    }
    assertThat(all()).hasSize(1_024);
  }

  @Test
  void dropsKeysInEachState() throws InterruptedException {
    add("again", "one");
    WorkItem<String> again = queue.poll().orElseThrow();
    add("again", "two");
    add("retried", "one");
    WorkItem<String> retried = queue.poll().orElseThrow();
    queue.addRateLimited("retried");
    add("ready", "one");
    queue.addAfter("delayed", Duration.ofSeconds(1));
    queue.addRateLimited("failed");
    add("stays", "one");
    queue.drop(key -> !key.equals("stays"), notes -> new Notes());
    assertThat(all())
        .isEqualTo(Map.of("again", List.of(), "retried", List.of(), "stays", List.of("one")));
    assertThat(queue.length()).isEqualTo(1);
    assertThat(queue.delayed()).isZero();
    assertThat(time.pending()).isEmpty();
    assertThat(queue.retries("failed")).isZero();
    assertThat(queue.retries("retried")).isZero();
    again.close();
    retried.close();
    assertThat(all()).containsOnlyKeys("stays");
    assertThat(queue.take().orElseThrow().key()).isEqualTo("stays");
  }

  @Test
  void givesNothingToWorkersWhileItIsClosed() throws InterruptedException {
    queue.setOpen(false);
    add("a", "one");
    assertThat(queue.length()).isEqualTo(1);
    assertThat(queue.poll()).isEmpty();
    assertThat(queue.take()).as("without waiting").isEmpty();
    queue.setOpen(true);
    assertThat(queue.take()).isPresent();
  }

  /** Against a map: the records of unused keys are exactly those that are not empty. */
  @Test
  void keepsWhatIsNotEmptyAndNothingElse() {
    Random random = new Random(20261129);
    Map<String, Integer> expected = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      String key = "key-" + random.nextInt(50);
      switch (random.nextInt(5)) {
        case 0 -> {
          add(key, "no");
          expected.merge(key, 1, Integer::sum);
        }
        case 1 -> assertThat(take(key)).hasSize(expected.getOrDefault(key, 0));
        case 2 -> queue.add(key);
        case 3 -> queue.addRateLimited(key);
        default -> {
          queue.forget(key);
          queue.poll().ifPresent(WorkItem::close);
        }
      }
      if (all().getOrDefault(key, List.of()).isEmpty()) {
        expected.remove(key);
      }
    }
    for (int i = 0; i < 50; i++) {
      queue.forget("key-" + i);
    }
    time.advance(Duration.ofHours(1));
    for (var item = queue.poll(); item.isPresent(); item = queue.poll()) {
      item.get().close();
    }
    Map<String, Integer> found = new HashMap<>();
    all().forEach((key, reasons) -> found.put(key, reasons.size()));
    assertThat(found).isEqualTo(expected);
  }
}
