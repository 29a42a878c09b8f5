// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import static dev.windlass.testing.core.Samples.cachedFoo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.index.Store;
import dev.windlass.testing.core.Foo;
import dev.windlass.workqueue.Priority;
import org.junit.jupiter.api.Test;

final class ReconcileAllTest {

  private final Store<Foo> foos = Store.create();
  private final ReconcileAll all = Source.all();
  private final Source source = all.over(() -> foos);
  private final RecordingSink sink = new RecordingSink();

  /** One signal, and everything there is waits behind what changes. */
  @Test
  void requestsEveryObjectThereIs() {
    Source.Running running = source.start(sink);
    assertThat(running.hasSynced()).isTrue();
    assertThat(all.trigger()).isZero();
    foos.put(cachedFoo("a"));
    foos.put(cachedFoo("b"));
    assertThat(all.trigger()).isEqualTo(2);
    assertThat(sink.keys()).containsExactlyInAnyOrder("default/a", "default/b");
    assertThat(sink.added).allMatch(added -> added.priority().equals(Priority.LOW));
    assertThat(sink.causes).containsOnly("everything ALL");
    all.trigger();
    assertThat(sink.keys()).hasSize(4);
  }

  @Test
  void tellsEveryControllerThatRuns() {
    foos.put(cachedFoo("a"));
    RecordingSink other = new RecordingSink();
    Source.Running first = source.start(sink);
    Source.Running second = source.start(other);
    first.stop();
    first.stop();
    all.trigger();
    assertThat(sink.keys()).isEmpty();
    assertThat(other.keys()).containsExactly("default/a");
    second.stop();
    assertThat(all.trigger()).as("nobody is asked").isZero();
    assertThat(other.keys()).hasSize(1);
  }
}
