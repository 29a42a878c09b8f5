// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import static dev.windlass.object.ConfigMaps.key;
import static dev.windlass.object.ConfigMaps.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.informer.fifo.DeltaFifo;
import dev.windlass.informer.index.Store;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.SharedProcessor;
import dev.windlass.informer.notify.SteppedHandler;
import dev.windlass.object.CachedObject;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A write or an action that fails harms nothing else, and a fatal error ends the applier. */
final class DeltaApplierFailureTest {

  /** Fails the writes of an object, before or after they are done. */
  private static final class Breaker implements WatchedStore.Watcher {
    private String name = "";
    private @Nullable Error before;
    private @Nullable Error after;

    @Override
    public void before(String written) {
      if (written.equals(name) && before != null) {
        throw before;
      }
    }

    @Override
    public void after(String written) {
      if (written.equals(name) && after != null) {
        throw after;
      }
    }
  }

  private final DeltaFifo<ConfigMap> fifo = new DeltaFifo<>(() -> {});
  private final Breaker breaker = new Breaker();
  private final Store<ConfigMap> store = WatchedStore.of(Store.create(), breaker);
  private final SharedProcessor<ConfigMap> processor =
      new SharedProcessor<>("test", new ManualScheduler(), Thread::new);
  private int losses;
  private final DeltaApplier<ConfigMap> applier =
      new DeltaApplier<>(fifo, store, processor, () -> losses++);
  private final SteppedHandler first = new SteppedHandler(processor);
  private final SteppedHandler second = new SteppedHandler(processor);

  @BeforeEach
  void joins() {
    first.lane().join(List.of(), false);
    second.lane().join(List.of(), false);
  }

  private void steps() {
    for (int i = 0; i < 1_000; i++) {
      if (applier.run().equals(StepDelay.UNTIL_WOKEN)) {
        return;
      }
    }
    throw new AssertionError("it never ends");
  }

  private void synced(List<CachedObject<ConfigMap>> objects) throws Exception {
    fifo.replace(objects, -1);
    steps();
    heard();
  }

  private void breaks(String name, @Nullable Error before, @Nullable Error after) {
    breaker.name = name;
    breaker.before = before;
    breaker.after = after;
  }

  /** What both handlers heard. */
  private List<String> heard() throws Exception {
    List<String> events = first.handleAll();
    assertThat(second.handleAll()).isEqualTo(events);
    return events;
  }

  private static List<CachedObject<ConfigMap>> objects(int count) {
    return IntStream.range(0, count).mapToObj(i -> state("o" + i, 1)).toList();
  }

  /** What came before a late handler is in its replay, and must not come a second time. */
  @Test
  void tellsTheOthersBeforeALateHandlerJoins() throws Exception {
    synced(List.of());
    SteppedHandler late = new SteppedHandler(processor);
    fifo.added(state("a", 1));
    fifo.sync(
        () ->
            late.lane()
                .join(
                    List.of(new ResourceEvent.Added<>(store.get(key("a")).orElseThrow(), true)),
                    true));
    steps();
    assertThat(late.handleAll()).containsExactly("+a1 initial");
    assertThat(heard()).containsExactly("+a1");
  }

  /** The log names the object's key, never its content. */
  @Test
  void requestsAListForAWriteThatFailed() throws Exception {
    synced(List.of());
    breaks("bad", new StackOverflowError("test"), null);
    fifo.added(state("a", 1));
    fifo.added(state("bad", 1));
    fifo.added(state("c", 1));
    assertThat(Logs.during(SharedIndexInformer.class, this::steps))
        .containsExactly(
            "ERROR Failed to write ConfigMap default/bad (version 1) to the cache; requesting a new"
                + " list");
    assertThat(losses).isEqualTo(1);
    assertThat(heard()).containsExactly("+a1", "+c1");
    breaks("", null, null);
    fifo.replace(List.of(state("a", 1), state("bad", 1), state("c", 1)), -1);
    steps();
    assertThat(heard()).as("healed by the list").containsExactly("+bad1");
  }

  /** If it is in the cache, no list would tell it. */
  @Test
  void tellsWhatIsInTheCacheThoughItsWriteFailed() throws Exception {
    synced(List.of(state("b", 1), state("d", "first", 1), state("e", 1)));
    Error late = new StackOverflowError("test");
    breaks("a", null, late);
    fifo.added(state("a", 1));
    steps();
    breaks("b", null, late);
    fifo.updated(state("b", 2));
    steps();
    breaks("d", null, late);
    fifo.added(state("d", "second", 2));
    steps();
    breaks("e", null, late);
    fifo.deleted(state("e", 2));
    steps();
    assertThat(heard()).containsExactly("+a1", "~b1>2", "-d1 missed", "+d2", "-e2");
    assertThat(losses).isEqualTo(4);
  }

  /** If one object of a list can't be written, the rest of the list is still applied. */
  @Test
  void leavesOutOfAListOnlyTheObjectsThatCantBeWritten() throws Exception {
    breaks("o3", new StackOverflowError("test"), null);
    fifo.replace(objects(6), -1);
    steps();
    assertThat(losses).isEqualTo(1);
    assertThat(heard()).hasSize(5).doesNotContain("+o31 initial");
    assertThat(applier.hasSynced()).isTrue();
    breaks("o2", new StackOverflowError("test"), null);
    fifo.replace(List.of(), -1);
    steps();
    assertThat(store.keys()).as("nor can it be removed").containsExactly(key("o2"));
    assertThat(heard()).hasSize(4);
    assertThat(losses).isEqualTo(2);
    breaks("", null, null);
    fifo.replace(List.of(), -1);
    steps();
    assertThat(heard()).containsExactly("-o21 missed");
  }

  @Test
  void appliesTheOtherChangesThoughAnActionFails() throws Exception {
    synced(List.of());
    fifo.sync(
        () -> {
          throw new StackOverflowError("test");
        });
    fifo.added(state("a", 1));
    assertThat(Logs.during(SharedIndexInformer.class, this::steps))
        .containsExactly("ERROR Failed to apply a change of type SYNC; requesting a new list");
    assertThat(losses).isEqualTo(1);
    assertThat(heard()).containsExactly("+a1");
  }

  @Test
  void endsWithAFatalError() throws Exception {
    synced(List.of());
    Error fatal = new OutOfMemoryError("test");
    breaks("a", fatal, null);
    fifo.added(state("a", 1));
    assertThatThrownBy(applier::run).isSameAs(fatal);
    fifo.sync(
        () -> {
          throw fatal;
        });
    assertThatThrownBy(applier::run).isSameAs(fatal);
  }
}
