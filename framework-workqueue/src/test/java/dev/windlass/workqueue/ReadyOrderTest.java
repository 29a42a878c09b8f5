// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testsupport.Logs;
import dev.windlass.testsupport.OddScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In which order keys are handed out. */
final class ReadyOrderTest {

  private static final Priority TEN = new Priority(Duration.ofSeconds(10));

  private final ManualScheduler time = new ManualScheduler();
  private final WorkQueue<String> queue =
      WorkQueue.create(WorkQueueOptions.<String>named("test").withScheduler(time));

  private static List<String> drain(WorkQueue<String> queue) {
    List<String> keys = new ArrayList<>();
    for (var next = queue.poll(); next.isPresent(); next = queue.poll()) {
      keys.add(next.get().key());
      next.get().close();
    }
    return keys;
  }

  /** However long it has waited among those that were listed, an edit makes it a change. */
  @Test
  void raisedKeysLeaveThoseThatAreOverdue() {
    queue.add("listed", Priority.LOW);
    queue.add("edited", Priority.LOW);
    time.advance(Duration.ofSeconds(61));
    queue.add("edited");
    assertThat(queue.lengths()).containsEntry(Priority.NORMAL, 1).containsEntry(Priority.LOW, 1);
    WorkItem<String> first = queue.poll().orElseThrow();
    assertThat(first.key()).isEqualTo("edited");
    assertThat(first.priority()).isEqualTo(Priority.NORMAL);
    assertThat(first.waited()).hasSeconds(61);
    assertThat(drain(queue)).containsExactly("listed");
  }

  /** Who has waited for its handicap gets each fourth turn, whatever comes. */
  @Test
  void lessUrgentKeysGetAShareOnceTheyHaveWaitedForTheirHandicap() {
    queue.add("low", Priority.LOW);
    queue.add("ten", TEN);
    addMany("first-", 8, Priority.NORMAL);
    time.advance(Duration.ofSeconds(10).minusNanos(1));
    assertThat(poll(4)).containsExactly("first-0", "first-1", "first-2", "first-3");
    time.advance(Duration.ofNanos(1));
    assertThat(poll(4)).containsExactly("first-4", "first-5", "first-6", "ten");
    queue.add("ten", TEN);
    time.advance(Duration.ofSeconds(50));
    addMany("second-", 8, Priority.NORMAL);
    assertThat(poll(8))
        .as("each of the overdue priorities in turn")
        .containsExactly(
            "first-7", "second-0", "second-1", "low", "second-2", "second-3", "second-4", "ten");
  }

  /** The initial list takes a quarter of an hour, but a change is processed immediately. */
  @Test
  void servesAChangeWithinAFewTurnsHoweverLongTheInitialListIs() {
    addMany("listed-", 100_000, Priority.LOW);
    for (int second = 0; queue.length() > 100; second++) {
      queue.add("edit-" + second);
      assertThat(poll(2)).as("after %s s", second).contains("edit-" + second);
      poll(98);
      time.advance(Duration.ofSeconds(1)); // 10 ms each
    }
    assertThat(time.nanoTime()).isGreaterThan(Duration.ofMinutes(16).toNanos());
  }

  /** No key starves, whatever the rate of changes. */
  @Test
  void worksOffTheListedWhileChangesComeFasterThanTheyAreServed() {
    addMany("listed-", 100, Priority.LOW);
    time.advance(Duration.ofSeconds(60));
    int listed = 0;
    for (int i = 0; i < 400; i++) {
      addMany("change-" + i + "-", 2, Priority.NORMAL);
      listed += poll(1).get(0).startsWith("listed-") ? 1 : 0;
    }
    assertThat(listed).isEqualTo(100);
  }

  /** The changes of one namespace do not delay those of another. */
  @Test
  void servesAGroupWithinTwoTurnsHoweverManyKeysOfAnotherWait() {
    WorkQueue<String> grouped =
        WorkQueue.create(
            WorkQueueOptions.<String>named("grouped")
                .withScheduler(time)
                .withGrouping(key -> key.substring(0, key.indexOf('/'))));
    for (int i = 0; i < 50_000; i++) {
      grouped.add("many/" + i);
    }
    assertThat(grouped.poll()).map(WorkItem::key).hasValue("many/0");
    grouped.add("one/a");
    grouped.add("two/a");
    grouped.add("two/b");
    List<String> order = drain(grouped);
    assertThat(order)
        .startsWith("many/1", "one/a", "two/a", "many/2", "two/b", "many/3")
        .hasSize(50_002);
  }

  /** What is new in a namespace does not delay a change in it, and is not starved by changes. */
  @Test
  void servesAChangeWithinAFewTurnsHoweverManyNewKeysThereAre() {
    addMany("new-", 10_000, Priority.NEW);
    addMany("listed-", 10_000, Priority.LOW);
    time.advance(Duration.ofMinutes(2));
    for (int i = 0; i < 1_000; i++) {
      queue.add("edit-" + i);
      assertThat(poll(2)).contains("edit-" + i);
    }
    addMany("more-", 80, Priority.NORMAL);
    assertThat(poll(80).stream().map(key -> key.substring(0, 3)))
        .as("each priority gets its turns")
        .satisfies(
            keys -> {
              assertThat(keys).filteredOn("mor"::equals).hasSize(60);
              assertThat(keys).filteredOn("new"::equals).hasSize(10);
              assertThat(keys).filteredOn("lis"::equals).hasSize(10);
            });
  }

  /** A mistake in the function costs fairness, and no key. */
  @Test
  void keepsKeysWhoseGroupIsUnknown() {
    WorkQueue<String> grouped =
        WorkQueue.create(
            WorkQueueOptions.<String>named("grouped")
                .withScheduler(time)
                .withGrouping(
                    key -> {
                      if (key.equals("odd")) {
                        throw new IllegalStateException("planned");
                      }
                      return null;
                    }));
    try (Logs logs = Logs.of(WorkQueue.class)) {
      grouped.add("odd");
      grouped.add("none");
      assertThat(logs.messages())
          .containsExactly(
              "The function that groups the keys failed for odd; its group is \"\"",
              "The function that groups the keys failed for none; its group is \"\"");
    }
    assertThat(drain(grouped)).containsExactly("odd", "none");
  }

  private void addMany(String name, int count, Priority priority) {
    for (int i = 0; i < count; i++) {
      queue.add(name + i, priority);
    }
  }

  private List<String> poll(int count) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      queue
          .poll()
          .ifPresent(
              item -> {
                keys.add(item.key());
                item.close();
              });
    }
    return keys;
  }

  /** Several keys that are due at one alarm are ready in the order in which they were due. */
  @Test
  void delayedKeysLineUpAtTheTimeWhenTheyWereDueHoweverLateTheAlarm() {
    List<Runnable> alarms = new ArrayList<>();
    WorkQueue<String> late =
        WorkQueue.create(
            WorkQueueOptions.<String>named("late")
                .withScheduler(
                    new OddScheduler(
                        time::nanoTime,
                        (task, delay) -> {
                          alarms.add(task);
                          return () -> {};
                        })));
    late.addAfter("third", Duration.ofMillis(30));
    late.addAfter("first", Duration.ofMillis(10));
    late.addAfter("also third", Duration.ofMillis(30));
    late.addAfter("fifth", Duration.ofMillis(50));
    time.advance(Duration.ofMillis(20));
    late.add("second");
    time.advance(Duration.ofMillis(20));
    late.add("fourth");
    time.advance(Duration.ofMillis(20));
    alarms.forEach(Runnable::run);
    assertThat(late.length()).isEqualTo(6);
    WorkItem<String> item = late.poll().orElseThrow();
    assertThat(item.key()).isEqualTo("first");
    assertThat(item.waited()).as("since it was due").hasMillis(50);
    assertThat(drain(late)).containsExactly("second", "third", "also third", "fourth", "fifth");
  }

  /** A worker gets a key that is due, even before the alarm fires (docs/reliability.md, bug 20). */
  @Test
  void aWorkerFindsDueKeysWithoutAnAlarm() {
    WorkQueue<String> deaf =
        WorkQueue.create(
            WorkQueueOptions.<String>named("deaf")
                .withScheduler(new OddScheduler(time::nanoTime, (task, delay) -> () -> {})));
    deaf.addAfter("a", Duration.ofMillis(10));
    time.advance(Duration.ofMillis(10));
    assertThat(drain(deaf)).containsExactly("a");
  }

  @Test
  void manyHandicapsAreToldApart() {
    for (int i = ReadyQueue.MOST; i > 0; i--) {
      queue.add("key-" + i, new Priority(Duration.ofSeconds(i)));
    }
    assertThat(drain(queue)).hasSize(ReadyQueue.MOST).startsWith("key-1", "key-2", "key-3");
    queue.add("one more", new Priority(Duration.ofSeconds(1000)));
    assertThat(queue.lengths()).as("unused ones make room").hasSize(1);
  }

  @Test
  void oneHandicapTooManyCountsAsTheNextMoreUrgentOne() {
    for (int i = 1; i <= ReadyQueue.MOST; i++) {
      queue.add("key-" + i, new Priority(Duration.ofSeconds(2L * i)));
    }
    Priority seven = new Priority(Duration.ofSeconds(7));
    queue.add("like 3", seven);
    queue.add("like 1", Priority.NORMAL);
    assertThat(queue.lengths())
        .hasSize(ReadyQueue.MOST)
        .containsEntry(new Priority(Duration.ofSeconds(6)), 2)
        .containsEntry(new Priority(Duration.ofSeconds(2)), 2);
    List<WorkItem<String>> items = new ArrayList<>();
    queue.poll().ifPresent(items::add);
    queue.poll().ifPresent(items::add);
    queue.poll().ifPresent(items::add);
    queue.poll().ifPresent(items::add);
    queue.poll().ifPresent(items::add);
    assertThat(items)
        .extracting(WorkItem::key)
        .containsExactly("key-1", "like 1", "key-2", "key-3", "like 3");
    assertThat(items.get(4).priority()).as("a retry keeps what was asked for").isEqualTo(seven);
  }

  @Test
  void handicapsMayBeEndless() {
    queue.add("never", new Priority(Duration.ofSeconds(Long.MAX_VALUE)));
    queue.add("soon");
    assertThat(drain(queue)).containsExactly("soon", "never");
    assertThatThrownBy(() -> new Priority(Duration.ofSeconds(-1))).hasMessageContaining("-1 s");
  }
}
