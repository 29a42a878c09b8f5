// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import static dev.windlass.object.ConfigMaps.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class HandlerLaneTest {

  private final ManualScheduler time = new ManualScheduler();
  private final List<String> seen = new ArrayList<>();
  private final Set<String> failing = new HashSet<>();
  private final HandlerLane<ConfigMap> lane = new HandlerLane<>(this::handle, time);
  private Runnable onEvent = () -> {};
  private int wakeUps;

  HandlerLaneTest() {
    lane.onReadable(() -> wakeUps++);
  }

  private void handle(ResourceEvent<ConfigMap> event) throws Exception {
    String text = PendingEventsTest.show(event);
    seen.add(text);
    onEvent.run();
    if (failing.contains(text)) {
      throw new Exception("test");
    }
  }

  private void add(int version) {
    lane.add(List.of(new ResourceEvent.Updated<>(state("a", version - 1), state("a", version))));
  }

  private StepDelay run() {
    StepDelay pause = lane.run();
    for (int i = 0; pause.equals(StepDelay.NONE); i++) {
      assertThat(i).as("a hot loop").isLessThan(1_000);
      pause = lane.run();
    }
    return pause;
  }

  /** Each event is one call, in order. */
  @Test
  void callsTheHandlerOncePerEventInOrder() {
    lane.add(List.of(new ResourceEvent.Added<>(state("a", 1), true)));
    add(2);
    lane.add(List.of(new ResourceEvent.Deleted<>(state("a", 3), false)));
    assertThat(wakeUps).as("one for all").isEqualTo(1);
    assertThat(seen).as("nothing on the caller's thread").isEmpty();
    assertThat(run()).isEqualTo(StepDelay.UNTIL_WOKEN);
    assertThat(seen).containsExactly("+a1 initial", "~a1>2", "-a3");
    run();
    assertThat(seen).hasSize(3);
  }

  /** The handler fails on one of five events, loses that one, and continues after one second. */
  @Test
  void losesTheEventThatTheHandlerThrewOnAndGoesOnAfterOneSecond() {
    failing.add("~a2>3");
    for (int version = 1; version <= 5; version++) {
      add(version);
    }
    assertThat(run()).isEqualTo(StepDelay.of(Duration.ofSeconds(1)));
    assertThat(seen).endsWith("~a2>3");
    time.advance(Duration.ofSeconds(1));
    assertThat(run()).isEqualTo(StepDelay.UNTIL_WOKEN);
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
    assertThat(run()).isEqualTo(StepDelay.of(Duration.ofMillis(600)));
    assertThat(seen).hasSize(1);
    time.advance(Duration.ofMillis(600));
    run();
    assertThat(seen).hasSize(2);
  }

  /** An Error is treated likewise and logged once, with the object's key only. */
  @Test
  void treatsAnErrorAsAnException() {
    HandlerLane<ConfigMap> erring =
        new HandlerLane<>(
            event -> {
              seen.add(PendingEventsTest.show(event));
              throw new StackOverflowError("test");
            },
            time);
    erring.add(List.of(new ResourceEvent.Added<>(state("a", 1), false)));
    erring.add(List.of(new ResourceEvent.Added<>(state("b", 1), false)));
    List<String> logged =
        Logs.during(
            SharedProcessor.class,
            () -> {
              assertThat(erring.run()).isEqualTo(StepDelay.of(Duration.ofSeconds(1)));
              assertThat(erring.run()).isEqualTo(StepDelay.of(Duration.ofSeconds(1)));
            });
    assertThat(logged)
        .containsExactly(
            "ERROR A handler failed on ConfigMap default/a (version 1); continuing with the next"
                + " event");
    time.advance(Duration.ofSeconds(1));
    erring.run();
    assertThat(seen).containsExactly("+a1", "+b1");
    assertThat(erring.failures()).isEqualTo(2);
    assertThat(erring.delivered()).isEqualTo(2);
  }

  /** "Synced" means processed, not delivered. */
  @Test
  void isSyncedWhenTheLastInitialEventHasBeenHandled() {
    for (int i = 0; i < 250; i++) {
      lane.add(List.of(new ResourceEvent.Added<>(state("o" + i, 1), true)));
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

  /** Our rule, unlike client-go's: a bad object does not keep the program from starting. */
  @Test
  void isSyncedThoughTheHandlerThrew() {
    failing.add("+a1 initial");
    lane.add(List.of(new ResourceEvent.Added<>(state("a", 1), true)));
    lane.initialListSent();
    run();
    assertThat(lane.hasSynced()).isFalse();
    time.advance(Duration.ofSeconds(1));
    run();
    assertThat(lane.hasSynced()).isTrue();
  }

  /** A blocked handler costs memory per object, not per event (docs/reliability.md, J1). */
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
    assertThat(lane.run()).isEqualTo(StepDelay.NONE);
    assertThat(seen).hasSize(100);
  }

  /** A name that is repeatedly created and deleted does not cost memory per event either. */
  @Test
  void boundsItsBacklogBehindABlockedHandlerWhenANameFlaps() {
    for (int i = 0; i < HandlerLane.BOUND; i++) {
      lane.add(List.of(new ResourceEvent.Added<>(state("o" + i, 1), false)));
    }
    for (int i = 0; i < 100_000; i++) {
      String uid = "uid" + i;
      lane.add(List.of(new ResourceEvent.Added<>(state("a", uid, 2L * i), false)));
      lane.add(List.of(new ResourceEvent.Deleted<>(state("a", uid, 2L * i + 1), false)));
      assertThat(lane.backlog()).isLessThanOrEqualTo(HandlerLane.BOUND + 3);
    }
    lane.add(List.of(new ResourceEvent.Added<>(state("a", "last", 200_000), false)));
    run();
    assertThat(seen).hasSize(HandlerLane.BOUND + 3).endsWith("+a0", "-a1", "+a200000");
  }

  /** For health and metrics. */
  @Test
  void saysHowFarItIsBehind() {
    assertThat(lane.lag()).isZero();
    add(1);
    time.advance(Duration.ofSeconds(5));
    failing.add("~a0>1");
    add(2);
    assertThat(lane.lag()).isEqualTo(Duration.ofSeconds(5));
    onEvent = () -> assertThat(lane.lag()).as("while handling").isEqualTo(Duration.ofSeconds(5));
    lane.run();
    onEvent = () -> {};
    assertThat(lane.lag()).as("of the second").isZero();
    time.advance(Duration.ofSeconds(1));
    assertThat(lane.lag()).isEqualTo(Duration.ofSeconds(1));
    run();
    assertThat(lane.lag()).isZero();
    assertThat(lane.delivered()).isEqualTo(2);
    assertThat(lane.failures()).isEqualTo(1);
  }

  /** Wake-ups are system calls: one per batch, and none for somebody who is awake. */
  @Test
  void wakesItsLoopOncePerBatch() {
    List<ResourceEvent<ConfigMap>> batch = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      batch.add(new ResourceEvent.Added<>(state("o" + i, 1), false));
    }
    lane.add(batch);
    lane.add(batch);
    assertThat(wakeUps).isEqualTo(1);
    run();
    assertThat(seen).hasSize(200);
    lane.add(batch);
    assertThat(wakeUps).isEqualTo(2);
  }

  @Test
  void callsNoHandlerAfterItsRemoval() {
    add(1);
    lane.remove();
    add(2);
    assertThat(lane.backlog()).isZero();
    assertThat(run()).isEqualTo(StepDelay.UNTIL_WOKEN);
    assertThat(seen).isEmpty();
    assertThat(lane.isRemoved()).isTrue();
  }

  /** Also what was taken from the queue already. */
  @Test
  void callsNoHandlerAfterItRemovesItself() {
    add(1);
    add(2);
    onEvent = lane::remove;
    assertThat(run()).isEqualTo(StepDelay.UNTIL_WOKEN);
    assertThat(seen).containsExactly("~a0>1");
    assertThat(lane.backlog()).isZero();
  }

  /** Though the registration is kept, and the handler blocks in the call that it is in. */
  @Test
  void holdsNeitherEventsNorTheHandlerAfterItWasRemoved() {
    Deque<WeakReference<Object>> gone = new ArrayDeque<>();
    HandlerLane<ConfigMap> removed = laneOfGarbage(gone);
    ResourceEvent<ConfigMap> handled = new ResourceEvent.Added<>(state("first", 1), false);
    removed.add(List.of(handled));
    addGarbage(removed, gone);
    onEvent =
        () -> {
          removed.remove();
          addGarbage(removed, gone);
          // the first is the handler, which is in the call
          assertThat(collected(gone)).isGreaterThanOrEqualTo(gone.size() - 1L);
        };
    removed.run();
    assertThat(seen).containsExactly("+first1");
    assertThat(gone).hasSize(1 + 2 * 2_000);
    assertThat(collected(gone)).isEqualTo(gone.size());
    assertThat(removed.isRemoved()).isTrue();
  }

  private HandlerLane<ConfigMap> laneOfGarbage(Deque<WeakReference<Object>> gone) {
    ResourceEventHandler<ConfigMap> handler = this::handle;
    gone.add(new WeakReference<>(handler));
    return new HandlerLane<>(handler, time);
  }

  private static void addGarbage(
      HandlerLane<ConfigMap> lane, Deque<WeakReference<Object>> references) {
    for (int i = 0; i < 2_000; i++) {
      ResourceEvent<ConfigMap> event = new ResourceEvent.Added<>(state("o" + i, 1), false);
      references.add(new WeakReference<>(event));
      lane.add(List.of(event));
    }
  }

  /** How many are garbage, when the collector had some chances to find out. */
  private static long collected(Deque<WeakReference<Object>> references) {
    long collected = 0;
    for (int i = 0; i < 20 && collected < references.size() - (i < 10 ? 0 : 1); i++) {
      System.gc();
      collected = references.stream().filter(reference -> reference.get() == null).count();
    }
    return collected;
  }

  /** A handler may do what it likes: whoever else needs the lane meanwhile does not wait. */
  @Test
  void holdsNoLockWhileItCallsTheHandler() {
    onEvent =
        () ->
            CompletableFuture.runAsync(
                    () -> {
                      add(2);
                      lane.initialListSent();
                      lane.backlog();
                      lane.lag();
                      lane.remove();
                    })
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    add(1);
    run();
    assertThat(seen).containsExactly("~a0>1");
    assertThat(lane.failures()).isZero();
  }

  @Test
  void restoresTheInterruptFlag() {
    HandlerLane<ConfigMap> interrupted =
        new HandlerLane<>(
            event -> {
              throw new InterruptedException();
            },
            time);
    interrupted.add(List.of(new ResourceEvent.Added<>(state("a", 1), false)));
    interrupted.run();
    assertThat(Thread.interrupted()).isTrue();
  }
}
