// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import static dev.windlass.object.ConfigMaps.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.time.ManualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who gets what; no thread is started. */
final class SharedProcessorTest {

  private final List<Thread> threads = new ArrayList<>();
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

  /** 002-07, 002-30: each event goes to each handler that has joined, and to no other. */
  @Test
  void handsEachEventToAllWhoHaveJoined() {
    SharedProcessor<ConfigMap>.Lane first = processor.lane(event -> {});
    SharedProcessor<ConfigMap>.Lane second = processor.lane(event -> {});
    first.join(List.of(), false);
    processor.distribute(event(1));
    second.join(List.of(event(1)), false);
    processor.distribute(event(2));
    first.add(event(3));
    assertThat(first.backlog()).isEqualTo(3);
    assertThat(second.backlog()).isEqualTo(2);
  }

  /** 002-26: removal undoes registration, also if it comes before the lane has joined. */
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
    processor.distribute(event(2));
    processor.initialListSent();
    assertThat(joined.backlog()).isZero();
    assertThat(early.backlog()).isZero();
    assertThat(threads).allMatch(thread -> thread.getState() == Thread.State.NEW);
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
