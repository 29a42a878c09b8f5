// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import static dev.windlass.object.ConfigMaps.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.testing.time.ManualScheduler;
import dev.windlass.time.Pause;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class HandlerLaneTest {

  private final ManualScheduler time = new ManualScheduler();
  private final List<String> seen = new ArrayList<>();
  private final Set<String> failing = new HashSet<>();
  private final HandlerLane<ConfigMap> lane = new HandlerLane<>(this::handle, time);
  private int wakeUps;

  HandlerLaneTest() {
    lane.onReadable(() -> wakeUps++);
  }

  private void handle(ResourceEvent<ConfigMap> event) throws Exception {
    String text = PendingEventsTest.show(event);
    seen.add(text);
    if (failing.contains(text)) {
      throw new Exception("test");
    }
  }

  private void add(int version) {
    lane.add(new ResourceEvent.Updated<>(state("a", version - 1), state("a", version)));
  }

  private Pause run() {
    Pause pause = lane.run();
    for (int i = 0; pause.equals(Pause.NONE); i++) {
      assertThat(i).as("a hot loop").isLessThan(1_000);
      pause = lane.run();
    }
    return pause;
  }

  /** 002-34, 002-39: each event is one call, in order. */
  @Test
  void callsTheHandlerOncePerEventInOrder() {
    lane.add(new ResourceEvent.Added<>(state("a", 1), true));
    add(2);
    lane.add(new ResourceEvent.Deleted<>(state("a", 3), false));
    assertThat(wakeUps).isEqualTo(3);
    assertThat(seen).as("nothing on the caller's thread").isEmpty();
    assertThat(run()).isEqualTo(Pause.UNTIL_WOKEN);
    assertThat(seen).containsExactly("+a1 initial", "~a1>2", "-a3");
    run();
    assertThat(seen).hasSize(3);
  }

  /** 002-40, go-anchors 41: 1, 2, 4, 5 are handled, after a pause of one second. */
  @Test
  void losesTheEventThatTheHandlerThrewOnAndGoesOnAfterOneSecond() {
    failing.add("~a2>3");
    for (int version = 1; version <= 5; version++) {
      add(version);
    }
    assertThat(run()).isEqualTo(Pause.of(Duration.ofSeconds(1)));
    assertThat(seen).endsWith("~a2>3");
    time.advance(Duration.ofSeconds(1));
    assertThat(run()).isEqualTo(Pause.UNTIL_WOKEN);
    assertThat(seen).containsExactly("~a0>1", "~a1>2", "~a2>3", "~a3>4", "~a4>5");
  }

  /** Events keep coming, and each of them wakes the loop; the pause holds. */
  @Test
  void doesNotCutThePauseShortWhenItIsWoken() {
    failing.add("~a0>1");
    add(1);
    run();
    add(2);
    time.advance(Duration.ofMillis(400));
    assertThat(run()).isEqualTo(Pause.of(Duration.ofMillis(600)));
    assertThat(seen).hasSize(1);
    time.advance(Duration.ofMillis(600));
    run();
    assertThat(seen).hasSize(2);
  }

  /** 002-40: an Error is for the loop to log; the event is lost and the pause is the same. */
  @Test
  void pausesAfterAnErrorToo() {
    List<String> calls = new ArrayList<>();
    HandlerLane<ConfigMap> erring =
        new HandlerLane<>(
            event -> {
              calls.add(PendingEventsTest.show(event));
              throw new StackOverflowError("test");
            },
            time);
    erring.add(new ResourceEvent.Added<>(state("a", 1), false));
    erring.add(new ResourceEvent.Added<>(state("b", 1), false));
    assertThatThrownBy(erring::run).isInstanceOf(StackOverflowError.class);
    assertThat(erring.run()).isEqualTo(Pause.of(Duration.ofSeconds(1)));
    time.advance(Duration.ofSeconds(1));
    assertThatThrownBy(erring::run).isInstanceOf(StackOverflowError.class);
    assertThat(calls).containsExactly("+a1", "+b1");
  }

  /** 002-21, go-anchors 31, 32: synced is handled, not delivered. */
  @Test
  void isSyncedWhenTheLastInitialEventHasBeenHandled() {
    for (int i = 0; i < 250; i++) {
      lane.add(new ResourceEvent.Added<>(state("o" + i, 1), true));
    }
    lane.initialListSent();
    add(2);
    assertThat(lane.hasSynced()).isFalse();
    while (seen.size() < 250) {
      assertThat(lane.hasSynced()).isFalse();
      lane.run();
    }
    run();
    assertThat(lane.hasSynced()).isTrue();
  }

  /** go-anchors 22: of nothing, everything is handled. */
  @Test
  void isSyncedAfterAnEmptyList() {
    lane.initialListSent();
    assertThat(wakeUps).isEqualTo(1);
    assertThat(lane.hasSynced()).isFalse();
    run();
    assertThat(lane.hasSynced()).isTrue();
  }

  /** Our rule, unlike client-go's: a bad object does not keep the program from starting. */
  @Test
  void isSyncedThoughTheHandlerThrew() {
    failing.add("+a1 initial");
    lane.add(new ResourceEvent.Added<>(state("a", 1), true));
    lane.initialListSent();
    run();
    assertThat(lane.hasSynced()).isFalse();
    time.advance(Duration.ofSeconds(1));
    run();
    assertThat(lane.hasSynced()).isTrue();
  }

  /** 002-36, J1: a handler that stalls costs memory per object, not per event, and says so. */
  @Test
  void boundsItsBacklogByTheNumberOfObjects() {
    for (int version = 1; version <= 100_000; version++) {
      add(version);
    }
    assertThat(lane.backlog()).isEqualTo(HandlerLane.BOUND);
    run();
    assertThat(seen).hasSize(HandlerLane.BOUND).endsWith("~a1023>100000");
    assertThat(lane.backlog()).isZero();
  }

  /** A stop must not wait for a backlog to be handled. */
  @Test
  void handlesABoundedNumberOfEventsInOneStep() {
    for (int version = 1; version <= 101; version++) {
      add(version);
    }
    assertThat(lane.run()).isEqualTo(Pause.NONE);
    assertThat(seen).hasSize(100);
  }

  @Test
  void callsNobodyAfterItWasRemoved() {
    add(1);
    lane.remove();
    add(2);
    assertThat(lane.backlog()).isZero();
    assertThat(run()).isEqualTo(Pause.UNTIL_WOKEN);
    assertThat(seen).isEmpty();
    assertThat(lane.isRemoved()).isTrue();
  }

  @Test
  void restoresTheInterruptFlag() {
    HandlerLane<ConfigMap> interrupted =
        new HandlerLane<>(
            event -> {
              throw new InterruptedException();
            },
            time);
    interrupted.add(new ResourceEvent.Added<>(state("a", 1), false));
    interrupted.run();
    assertThat(Thread.interrupted()).isTrue();
  }
}
