// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.fifo;

import static dev.windlass.object.ConfigMaps.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.windlass.object.CachedObject;
import dev.windlass.scheduling.ManualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class DeltaFifoTest {

  private int wakeUps;
  private final DeltaFifo<ConfigMap> fifo = new DeltaFifo<>(() -> wakeUps++);

  static String show(Delta<ConfigMap> delta) {
    return switch (delta.type()) {
      case ADDED -> "+" + show(((Delta.Change<ConfigMap>) delta).object());
      case UPDATED -> "~" + show(((Delta.Change<ConfigMap>) delta).object());
      case DELETED -> "-" + show(((Delta.Change<ConfigMap>) delta).object());
      case REPLACED ->
          ((Delta.Replaced<ConfigMap>) delta).objects().stream().map(DeltaFifoTest::show).toList()
              + "";
      case SYNC -> "sync";
    };
  }

  static String show(List<Delta<ConfigMap>> deltas) {
    return String.join(" ", deltas.stream().map(DeltaFifoTest::show).toList());
  }

  private static String show(CachedObject<ConfigMap> object) {
    return object.key().name() + object.resourceVersion();
  }

  /** Everything that waits; one text for each poll. */
  private List<String> drain() {
    List<String> polls = new ArrayList<>();
    for (var deltas = fifo.poll(); !deltas.isEmpty(); deltas = fifo.poll()) {
      polls.add(show(deltas));
    }
    assertThat(fifo.size()).isZero();
    return polls;
  }

  @Test
  void knowsFiveTypesOfChanges() {
    fifo.replace(List.of(state("a", 1)), -1);
    fifo.added(state("b", 2));
    fifo.updated(state("b", 3));
    fifo.deleted(state("b", 4));
    fifo.sync(() -> {});
    assertThat(drain()).containsExactly("[a1]", "+b2 ~b3 -b4", "sync");
    assertThat(Delta.Type.values()).hasSize(5);
  }

  /** Five updates while nobody polls come out together, in order. */
  @Test
  void handsOutAllChangesOfAnObjectTogether() {
    for (int version = 1; version <= 5; version++) {
      fifo.updated(state("a", version));
    }
    assertThat(fifo.size()).isEqualTo(5);
    assertThat(drain()).containsExactly("~a1 ~a2 ~a3 ~a4 ~a5");
  }

  /** One wake-up per batch: whoever is awake goes on until nothing waits. */
  @Test
  void wakesTheConsumerWhenItMayBeAsleep() {
    fifo.added(state("a", 1));
    fifo.updated(state("a", 2));
    fifo.replace(List.of(), -1);
    assertThat(wakeUps).isEqualTo(1);
    fifo.poll(1);
    fifo.added(state("b", 3));
    assertThat(wakeUps).as("the consumer has not seen the end").isEqualTo(1);
    assertThat(fifo.poll(3)).hasSize(2);
    fifo.sync(() -> {});
    fifo.sync(() -> {});
    assertThat(wakeUps).isEqualTo(2);
    fifo.poll(2);
    fifo.deleted(state("a", 4));
    assertThat(wakeUps).isEqualTo(3);
  }

  /** What breaks off may have been added, so somebody must look. */
  @Test
  void wakesTheConsumerThoughTheAdditionBroke() {
    DeltaFifo<ConfigMap> broken =
        new DeltaFifo<>(
            () -> wakeUps++,
            () -> {
              throw new OutOfMemoryError("test");
            });
    assertThatThrownBy(() -> broken.added(state("a", 1))).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> broken.replace(List.of(), -1)).isInstanceOf(OutOfMemoryError.class);
    assertThat(wakeUps).isEqualTo(2);
    assertThat(broken.poll()).isEmpty();
  }

  @Test
  void handsOutBatchesInTheSameOrderAsOneByOne() {
    fifo.added(state("a", 1));
    fifo.added(state("b", 2));
    fifo.updated(state("a", 3));
    fifo.sync(() -> {});
    fifo.added(state("c", 4));
    assertThat(fifo.poll(2)).extracting(DeltaFifoTest::show).containsExactly("+a1 ~a3", "+b2");
    fifo.updated(state("b", 5));
    assertThat(fifo.size()).isEqualTo(3);
    assertThat(fifo.poll(100))
        .extracting(DeltaFifoTest::show)
        .containsExactly("sync", "+c4", "~b5");
    assertThat(fifo.poll(100)).isEmpty();
    assertThat(fifo.size()).isZero();
  }

  /** For the lag: the age of the oldest change, not of the latest that was merged into it. */
  @Test
  void saysHowLongTheOldestChangeHasWaited() {
    ManualScheduler time = new ManualScheduler();
    DeltaFifo<ConfigMap> timed = new DeltaFifo<>(() -> {}, time::nanoTime);
    assertThat(timed.oldestAge()).isZero();
    timed.added(state("a", 1));
    time.advance(Duration.ofSeconds(3));
    timed.updated(state("a", 2));
    timed.replace(List.of(), -1);
    assertThat(timed.oldestAge()).isEqualTo(Duration.ofSeconds(3));
    time.advance(Duration.ofSeconds(1));
    timed.poll();
    assertThat(timed.oldestAge()).as("that of the list").isEqualTo(Duration.ofSeconds(1));
    timed.poll();
    assertThat(timed.oldestAge()).isZero();
  }

  private void fill() {
    for (int i = 0; i < DeltaFifo.BOUND; i++) {
      fifo.added(state("filler" + i, 1));
    }
  }

  /** 10,000 changes of one object cost no more than one (docs/reliability.md, J3). */
  @Test
  void mergesTheChangesOfAnObjectWhenTooMuchWaits() {
    fill();
    fifo.added(state("a", 1));
    for (int version = 2; version <= 10_000; version++) {
      fifo.updated(state("a", version));
    }
    assertThat(fifo.size()).isEqualTo(DeltaFifo.BOUND + 1);
    assertThat(drain()).endsWith("+a10000");
  }

  /** A name that is repeatedly created and deleted costs no more than one that changes. */
  @Test
  void boundsWhatWaitsOfAFlappingName() {
    fill();
    for (int i = 0; i < 100_000; i++) {
      fifo.added(state("a", "uid" + i, 2L * i));
      fifo.deleted(state("a", "uid" + i, 2L * i + 1));
      assertThat(fifo.size()).isLessThanOrEqualTo(DeltaFifo.BOUND + 4);
    }
    assertThat(drain()).endsWith("+a0 -a1 -a199999");
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        arguments("an addition is merged into an update as an update", "~a1 +a2", "~a2"),
        arguments(
            "no deletion into a state, nothing across it",
            "~a1 -a2 -a3 +a4:x ~a5:x",
            "~a1 -a2 -a3 +a5"),
        arguments(
            "who came and went behind a deletion is forgotten",
            "-a1:1 +a2:2 ~a3:2 -a4:2 +a5:3 -a6:3 +a7:4",
            "-a1 -a6 +a7"),
        arguments("the cache may know with whom a key begins", "+a1:1 -a2:1", "+a1 -a2"),
        arguments("2 may be known", "-a1:1 ~a2:2 ~a3:3 -a4:3", "-a1 ~a2 ~a3 -a4"),
        arguments(
            "nobody is forgotten across a barrier", "-a1:1 sync +a2:2 -a3:2", "-a1, sync, +a2 -a3"),
        arguments(
            "no states of different objects are merged (docs/reliability.md, C5)",
            "~a1 ~a2:x",
            "~a1 ~a2"),
        arguments(
            "nothing is merged across a barrier", "~a1 [] ~a2 sync ~a3", "~a1, [], ~a2, sync, ~a3"),
        arguments(
            "a late state replaces no newer one (docs/reliability.md, C2)", "~a5 ~a4", "~a5"));
  }

  /** What waits of so many changes when too much waits already. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void mergesWhatTellsNothingNew(String why, String changes, String waiting) {
    fill();
    for (String change : changes.split(" ", -1)) {
      add(change);
    }
    assertThat(drain()).as(why).endsWith(waiting.split(", ", -1));
  }

  /** A change as {@link #show} has it, and perhaps a uid: {@code ~a1:uid}. */
  private void add(String change) {
    if (change.equals("sync")) {
      fifo.sync(() -> {});
      return;
    }
    if (change.equals("[]")) {
      fifo.replace(List.of(), -1);
      return;
    }
    String uid = change.contains(":") ? change.substring(change.indexOf(':') + 1) : "a";
    CachedObject<ConfigMap> state = state("a", uid, Character.digit(change.charAt(2), 10));
    switch (change.charAt(0)) {
      case '+' -> fifo.added(state);
      case '~' -> fifo.updated(state);
      default -> fifo.deleted(state);
    }
  }
}
