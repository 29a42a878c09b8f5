// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.settings.ControllerConfigs;
import dev.windlass.object.ObjectKey;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.workqueue.Priority;
import dev.windlass.workqueue.WorkItem;
import dev.windlass.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What becomes of requests that arrive before the replica leads. */
final class OwnedKeysTest {

  private final OwnedKeys keys =
      new OwnedKeys(ControllerConfigs.config(new ManualScheduler(), c -> {}));

  private final WorkQueue<Request> queue = keys.queue();

  private int kept() {
    int[] kept = {0};
    keys.queue().forEach((request, state) -> kept[0] += state.kept() == null ? 0 : 1);
    return kept[0];
  }

  private static Request request(String name) {
    return new Request(ObjectKey.of("here", name));
  }

  @Test
  void keepsTheMostUrgentPriorityUntilItIsReleased() {
    for (Priority first : List.of(Priority.LOW, Priority.NORMAL)) {
      Priority second = first.equals(Priority.LOW) ? Priority.NORMAL : Priority.LOW;
      keys.add(request("first-" + first.handicap().toSeconds()), first);
      keys.add(request("first-" + first.handicap().toSeconds()), second);
    }
    keys.add(request("low"), Priority.LOW);
    assertThat(kept()).isEqualTo(3);
    assertThat(queue.poll()).as("before the release").isEmpty();
    assertThat(keys.begin(0)).isEqualTo(1);
    for (Priority expected : List.of(Priority.NORMAL, Priority.NORMAL, Priority.LOW)) {
      try (WorkItem<Request> item = queue.poll().orElseThrow()) {
        assertThat(item.priority()).isEqualTo(expected);
      }
    }
    assertThat(kept()).isZero();
  }

  /** However often the lease is won and lost, a request of a source that is kept is not lost. */
  @Test
  void losesNothingBetweenTwoTerms() throws Exception {
    Thread elections =
        new Thread(
            () -> {
              for (int i = 0; i < 2_000; i++) {
                keys.begin(0);
                keys.end(0);
              }
            });
    elections.start();
    for (int i = 0; elections.isAlive(); i++) {
      keys.add(request("a"), Priority.NORMAL);
    }
    elections.join();
    keys.add(request("last"), Priority.NORMAL);
    keys.end(0);
    assertThat(kept()).isPositive();
    assertThat(queue.length()).isZero();
    keys.begin(0);
    assertThat(kept()).isZero();
    assertThat(queue.length()).isPositive();
  }

  private final KeyFailures failures = new KeyFailures("uid", 0);

  private long eventsAt(Duration time) {
    return IntStream.range(0, 30)
        .filter(i -> failures.isEventDue("cause " + i, Duration.ZERO, time.toNanos()))
        .count();
  }

  @Test
  void haveTwentyEventsPerHourAtMost() {
    assertThat(eventsAt(Duration.ZERO)).isEqualTo(20);
    assertThat(eventsAt(Duration.ofMinutes(59))).isZero();
    assertThat(eventsAt(Duration.ofMinutes(60))).isEqualTo(20);
  }
}
