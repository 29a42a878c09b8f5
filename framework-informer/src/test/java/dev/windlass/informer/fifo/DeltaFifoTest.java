// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.fifo;

import static dev.windlass.object.ConfigMaps.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.CachedObject;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DeltaFifoTest {

  private int wakeUps;
  private final DeltaFifo<ConfigMap> fifo = new DeltaFifo<>(() -> wakeUps++);

  static String show(Delta<ConfigMap> delta) {
    return switch (delta.type()) {
      case ADDED -> "+" + show(((Delta.Added<ConfigMap>) delta).object());
      case UPDATED -> "~" + show(((Delta.Updated<ConfigMap>) delta).object());
      case DELETED -> "-" + show(((Delta.Deleted<ConfigMap>) delta).object());
      case REPLACED ->
          ((Delta.Replaced<ConfigMap>) delta).objects().stream().map(DeltaFifoTest::show).toList()
              + "";
      case SYNC -> "sync";
    };
  }

  private static String show(CachedObject<ConfigMap> object) {
    return object.key().name() + object.resourceVersion();
  }

  /** Everything that waits; one text for each poll. */
  private List<String> drain() {
    List<String> polls = new ArrayList<>();
    for (var deltas = fifo.poll(); !deltas.isEmpty(); deltas = fifo.poll()) {
      polls.add(String.join(" ", deltas.stream().map(DeltaFifoTest::show).toList()));
    }
    assertThat(fifo.size()).isZero();
    return polls;
  }

  /** 002-09: five updates while nobody polls come out together, in order. */
  @Test
  void handsOutAllChangesOfAnObjectTogether() {
    for (int version = 1; version <= 5; version++) {
      fifo.updated(state("a", version));
    }
    assertThat(fifo.size()).isEqualTo(5);
    assertThat(drain()).containsExactly("~a1 ~a2 ~a3 ~a4 ~a5");
  }

  /** go-anchors 20: an object does not overtake others because it changes again. */
  @Test
  void handsOutObjectsInTheOrderOfTheirFirstChange() {
    fifo.added(state("a", 1));
    fifo.added(state("b", 2));
    fifo.deleted(state("a", 3));
    fifo.added(state("c", 4));
    fifo.added(state("a", "again", 5));
    assertThat(drain()).containsExactly("+a1 -a3 +a5", "+b2", "+c4");
  }

  @Test
  void beginsAnewWithAnObjectThatWasHandedOut() {
    fifo.added(state("a", 1));
    List<Delta<ConfigMap>> first = fifo.poll();
    fifo.updated(state("a", 2));
    fifo.added(state("b", 3));
    fifo.updated(state("a", 4));
    assertThat(first).hasSize(1);
    assertThat(drain()).containsExactly("~a2 ~a4", "+b3");
  }

  /** go-anchors 21: a list is compared with a cache that is exactly as old as it is not. */
  @Test
  void letsNothingPassAList() {
    fifo.added(state("a", 1));
    fifo.replace(List.of(state("a", 2)));
    fifo.updated(state("a", 3));
    fifo.deleted(state("b", 4));
    fifo.replace(List.of());
    fifo.updated(state("a", 5));
    assertThat(drain()).containsExactly("+a1", "[a2]", "~a3", "-b4", "[]", "~a5");
  }

  /** go-anchors 23: nor does anything pass a resync or the replay for a new handler. */
  @Test
  void letsNothingPassASync() {
    fifo.added(state("a", 1));
    fifo.sync(() -> {});
    fifo.updated(state("a", 2));
    assertThat(drain()).containsExactly("+a1", "sync", "~a2");
  }

  /** An equal change on the other side of a barrier is another one. */
  @Test
  void keepsWhatIsOpenBehindABarrierOpen() {
    CachedObject<ConfigMap> same = state("a", 1);
    fifo.updated(same);
    fifo.sync(() -> {});
    fifo.updated(same);
    fifo.poll();
    fifo.added(state("b", 2));
    fifo.updated(state("a", 3));
    assertThat(drain()).containsExactly("sync", "~a1 ~a3", "+b2");
  }

  @Test
  void wakesTheConsumerAfterEachAddition() {
    fifo.added(state("a", 1));
    fifo.updated(state("a", 2));
    fifo.deleted(state("a", 3));
    fifo.replace(List.of());
    fifo.sync(() -> {});
    assertThat(wakeUps).isEqualTo(5);
  }

  @Test
  void isEmptyAtFirst() {
    assertThat(fifo.poll()).isEmpty();
    assertThat(fifo.size()).isZero();
  }

  private void fill() {
    for (int i = 0; i < DeltaFifo.BOUND; i++) {
      fifo.added(state("filler" + i, 1));
    }
  }

  /** J3: 10,000 changes of one object cost no more than one. */
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

  @Test
  void mergesAnAdditionIntoAnUpdateAsAnUpdate() {
    fill();
    fifo.updated(state("a", 1));
    fifo.added(state("a", 2));
    assertThat(drain()).endsWith("~a2");
  }

  /** A deletion is always seen, and nothing is merged across it. */
  @Test
  void mergesNoDeletions() {
    fill();
    fifo.updated(state("a", 1));
    fifo.deleted(state("a", 2));
    fifo.deleted(state("a", 3));
    fifo.added(state("a", "again", 4));
    fifo.updated(state("a", "again", 5));
    assertThat(drain()).endsWith("~a1 -a2 -a3 +a5");
  }

  /** C5: a successor is not merged into its predecessor. */
  @Test
  void mergesNoStatesOfDifferentObjects() {
    fill();
    fifo.updated(state("a", 1));
    fifo.updated(state("a", "again", 2));
    assertThat(drain()).endsWith("~a1 ~a2");
  }

  @Test
  void mergesNothingAcrossABarrier() {
    fill();
    fifo.updated(state("a", 1));
    fifo.replace(List.of());
    fifo.updated(state("a", 2));
    fifo.sync(() -> {});
    fifo.updated(state("a", 3));
    assertThat(drain()).endsWith("~a1", "[]", "~a2", "sync", "~a3");
  }

  /** C2: a state that comes too late does not displace a newer one. */
  @Test
  void keepsTheNewerStateWhenItMergesOutOfOrder() {
    fill();
    fifo.updated(state("a", 5));
    fifo.updated(state("a", 4));
    assertThat(drain()).endsWith("~a5");
  }

  @Test
  void mergesNothingBelowTheBound() {
    for (int i = 0; i < DeltaFifo.BOUND; i++) {
      fifo.updated(state("a", i));
    }
    assertThat(fifo.size()).isEqualTo(DeltaFifo.BOUND);
    fifo.updated(state("a", DeltaFifo.BOUND));
    assertThat(fifo.poll()).hasSize(DeltaFifo.BOUND);
  }
}
