// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import static dev.windlass.object.ConfigMaps.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who gets what. */
final class SharedProcessorTest {

  private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
  private final SharedProcessor<ConfigMap> processor =
      new SharedProcessor<>(
          "test",
          new ManualScheduler(),
          task -> {
            Thread thread = new Thread(task);
            threads.add(thread);
            return thread;
          });

  private static ResourceEvent<ConfigMap> event(int version) {
    return new ResourceEvent.Added<>(state("o" + version, version), false);
  }

  /** Each event goes to each handler that has joined, and to no other. */
  @Test
  void handsEachEventToAllWhoHaveJoined() {
    SharedProcessor<ConfigMap>.Lane first = processor.lane(event -> {});
    SharedProcessor<ConfigMap>.Lane second = processor.lane(event -> {});
    first.join(List.of(), false);
    processor.distribute(List.of(event(1)));
    second.join(List.of(event(1)), false);
    processor.distribute(List.of(event(2)));
    first.add(event(3));
    assertThat(first.backlog()).isEqualTo(3);
    assertThat(second.backlog()).isEqualTo(2);
  }

  /** Removal undoes registration, also if it comes before the lane has joined. */
  @Test
  void forgetsALaneThatIsRemoved() {
    SharedProcessor<ConfigMap>.Lane joined = processor.lane(event -> {});
    joined.join(List.of(), false);
    joined.remove();
    joined.remove();
    SharedProcessor<ConfigMap>.Lane early = processor.lane(event -> {});
    early.remove();
    early.start();
    early.join(List.of(event(1)), true);
    processor.distribute(List.of(event(2)));
    processor.initialListSent();
    assertThat(joined.backlog()).isZero();
    assertThat(early.backlog()).isZero();
    assertThat(threads).allMatch(thread -> thread.getState() == Thread.State.NEW);
  }

  /** One event object for all: a handler more costs a place in its queue, not another event. */
  @Test
  @Timeout(30)
  void sharesOneEventAmongAllHandlers() {
    List<ResourceEvent<ConfigMap>> heard = Collections.synchronizedList(new ArrayList<>());
    List<SharedProcessor<ConfigMap>.Lane> lanes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      SharedProcessor<ConfigMap>.Lane lane = processor.lane(heard::add);
      lane.join(List.of(), false);
      lanes.add(lane);
    }
    ResourceEvent<ConfigMap> event = event(1);
    processor.distribute(List.of(event));
    lanes.forEach(lane -> assertThat(lane.backlog()).isEqualTo(1));
    lanes.forEach(SharedProcessor.Lane::start);
    Eventually.until(() -> lanes.stream().allMatch(lane -> lane.delivered() == 1));
    assertThat(heard).hasSize(3).allMatch(each -> each == event);
    lanes.forEach(SharedProcessor.Lane::remove);
  }

  /** One blocks, one throws, one adds another, and one works (docs/reliability.md, J1). */
  @Test
  @Timeout(30)
  void letsNoHandlerHarmAnother() throws InterruptedException {
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    Set<String> well = ConcurrentHashMap.newKeySet();
    Set<String> joined = ConcurrentHashMap.newKeySet();
    SharedProcessor<ConfigMap>.Lane blocking =
        processor.lane(
            event -> {
              stuck.countDown();
              free.await();
            });
    SharedProcessor<ConfigMap>.Lane erring =
        processor.lane(
            event -> {
              throw new AssertionError("test");
            });
    List<HandlerRegistration> leaver = new CopyOnWriteArrayList<>();
    SharedProcessor<ConfigMap>.Lane leaving =
        processor.lane(
            event -> {
              leaver.get(0).remove();
              SharedProcessor<ConfigMap>.Lane successor =
                  processor.lane(next -> joined.add(next.key().name()));
              successor.start();
              successor.join(List.of(event), true);
            });
    leaver.add(leaving);
    SharedProcessor<ConfigMap>.Lane healthy = processor.lane(event -> well.add(event.key().name()));
    for (SharedProcessor<ConfigMap>.Lane lane : List.of(blocking, erring, leaving, healthy)) {
      lane.join(List.of(), true);
      lane.start();
    }
    processor.distribute(List.of(event(1)));
    assertThat(stuck.await(20, TimeUnit.SECONDS)).isTrue();
    // The successor can get its first event before it has joined, but not after the handler
    // returned.
    Eventually.until(() -> joined.contains("o1") && leaving.delivered() == 1);
    assertThat(leaving.isRemoved()).isTrue();
    for (int i = 2; i <= 500; i++) {
      processor.distribute(List.of(event(i)));
    }
    Eventually.until(() -> well.size() == 500 && joined.size() == 500 && erring.failures() == 1);
    assertThat(blocking.backlog()).isEqualTo(499);
    assertThat(blocking.delivered()).isZero();
    assertThat(erring.name()).isEqualTo("test-handler-2");
    assertThat(healthy.failures()).isZero();
    blocking.remove();
    assertThat(blocking.backlog()).as("while it still blocks").isZero();
    free.countDown();
    Eventually.until(() -> !blocking.loop().isRunning() && !leaving.loop().isRunning());
    assertThat(processor.stop(Duration.ofSeconds(20))).isTrue();
    assertThat(threads).noneMatch(Thread::isAlive);
  }

  /** It is gone for everyone except a stop. */
  @Test
  @Timeout(30)
  void waitsForTheThreadOfARemovedHandler() throws InterruptedException {
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    SharedProcessor<ConfigMap>.Lane blocking =
        processor.lane(
            event -> {
              stuck.countDown();
              free.await();
            });
    blocking.start();
    blocking.join(List.of(event(1)), true);
    assertThat(stuck.await(20, TimeUnit.SECONDS)).isTrue();
    blocking.remove();
    assertThat(processor.handlers()).isEmpty();
    assertThat(processor.runningLoops()).isNotEmpty();
    assertThat(processor.stop(Duration.ofMillis(1))).isFalse();
    free.countDown();
    assertThat(processor.stop(Duration.ofSeconds(20))).isTrue();
    assertThat(processor.runningLoops()).isEmpty();
    assertThat(threads).noneMatch(Thread::isAlive);
  }

  @Test
  void namesItsThreadsAndMarksThemAsDaemons() {
    processor.lane(event -> {});
    processor.lane(event -> {});
    assertThat(threads)
        .extracting(Thread::getName)
        .containsExactly("test-handler-1", "test-handler-2");
    assertThat(threads).allMatch(Thread::isDaemon);
  }
}
