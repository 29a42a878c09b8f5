// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import static dev.windlass.object.ConfigMaps.key;
import static dev.windlass.object.ConfigMaps.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.behaviour.Logs;
import dev.windlass.behaviour.Proves;
import dev.windlass.informer.fifo.DeltaFifo;
import dev.windlass.informer.index.Store;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.SharedProcessor;
import dev.windlass.informer.notify.SteppedHandler;
import dev.windlass.object.CachedObject;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.testing.time.ManualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Steps that break off at any point, as they do when memory runs out, lose nothing. */
final class DeltaApplierFailureTest {

  /** Breaks off writes of an object, before or after they are done. */
  private static final class Breaker implements WatchedStore.Watcher {
    private String name = "";
    private int before;
    private int after;
    private String next = "";
    private int nextBefore;

    void of(String name, int before, int after) {
      this.name = name;
      this.before = before;
      this.after = after;
    }

    /** Once that is over, breaks off writes of another. */
    void then(String next, int before) {
      this.next = next;
      this.nextBefore = before;
    }

    @Override
    public void before(String written) {
      if (written.equals(next) && nextBefore-- > 0) {
        throw new OutOfMemoryError("test");
      }
      if (written.equals(name) && before-- > 0) {
        throw new OutOfMemoryError("test");
      }
    }

    @Override
    public void after(String written) {
      if (written.equals(name) && before < 0 && after-- > 0) {
        throw new OutOfMemoryError("test");
      }
    }
  }

  /** Lanes read the clock when they take events in, and so they can be broken. */
  private static final class BrokenClock implements Scheduler {
    private int readsUntilFailure = -1;

    @Override
    public long nanoTime() {
      if (readsUntilFailure-- == 0) {
        throw new OutOfMemoryError("test");
      }
      return 0;
    }

    @Override
    public Alarm schedule(Runnable task, Duration delay) {
      return new ManualScheduler().schedule(task, delay);
    }
  }

  private final DeltaFifo<ConfigMap> fifo = new DeltaFifo<>(() -> {});
  private final Breaker breaker = new Breaker();
  private final Store<ConfigMap> store = WatchedStore.of(Store.create(), breaker);
  private final BrokenClock clock = new BrokenClock();
  private final SharedProcessor<ConfigMap> processor =
      new SharedProcessor<>("test", clock, Thread::new);
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

  /** Steps until nothing waits, and counts those that broke off. */
  private int steps() {
    int broken = 0;
    for (int i = 0; i < 1_000; i++) {
      try {
        if (applier.run().equals(StepDelay.UNTIL_WOKEN)) {
          return broken;
        }
      } catch (OutOfMemoryError e) {
        broken++;
      }
    }
    throw new AssertionError("it never ends");
  }

  private void synced(List<CachedObject<ConfigMap>> objects) throws Exception {
    fifo.replace(objects, -1);
    steps();
    heard();
  }

  /** What both handlers heard. */
  private List<String> heard() throws Exception {
    List<String> events = first.handleAll();
    assertThat(second.handleAll()).isEqualTo(events);
    return events;
  }

  @Test
  void writesAgainWhatBrokeOffBeforeItWasWritten() throws Exception {
    synced(List.of());
    breaker.of("b", 2, 0);
    fifo.added(state("a", 1));
    fifo.added(state("b", 1));
    fifo.added(state("c", 1));
    assertThat(steps()).isEqualTo(2);
    assertThat(heard()).containsExactly("+a1", "+b1", "+c1");
    assertThat(store.size()).isEqualTo(3);
    assertThat(losses).isZero();
  }

  /** The next list would find the same version in the cache, and tell nobody. */
  @Test
  void tellsWhatWasWrittenThoughTheStepBrokeOff() throws Exception {
    synced(List.of(state("b", 1), state("d", "first", 1), state("e", 1)));
    breaker.of("a", 0, 2);
    fifo.added(state("a", 1));
    assertThat(steps()).isEqualTo(2);
    breaker.of("b", 0, 2);
    fifo.updated(state("b", 2));
    assertThat(steps()).isEqualTo(2);
    breaker.of("d", 0, 2);
    fifo.added(state("d", "second", 2));
    assertThat(steps()).isEqualTo(2);
    breaker.of("e", 0, 2);
    fifo.deleted(state("e", 2));
    assertThat(steps()).isEqualTo(2);
    assertThat(heard()).containsExactly("+a1", "~b1>2", "-d1 missed", "+d2", "-e2");
    assertThat(losses).isZero();
  }

  /** Told by half, however often: told to each handler, once and in order. */
  @Test
  void tellsTheRestOfTheHandlersWhenTheFirstKnowAlready() throws Exception {
    synced(List.of());
    fifo.added(state("a", 1));
    fifo.added(state("b", 1));
    for (int version = 2; version <= 6; version++) {
      clock.readsUntilFailure = 1;
      assertThat(steps()).isEqualTo(1);
      fifo.updated(state("a", version));
    }
    steps();
    assertThat(heard()).containsExactly("+a1", "+b1", "~a1>2", "~a2>3", "~a3>4", "~a4>5", "~a5>6");
    assertThat(losses).isZero();
  }

  /** It is news however long memory is short; a list would not bring it again. */
  @Test
  void neverGivesUpToTellWhatWasWritten() throws Exception {
    synced(List.of());
    fifo.added(state("a", 1));
    int broken = 0;
    for (int i = 0; i < 10; i++) {
      clock.readsUntilFailure = 0;
      try {
        applier.run();
      } catch (OutOfMemoryError e) {
        broken++;
      }
    }
    assertThat(broken).isEqualTo(10);
    clock.readsUntilFailure = -1;
    assertThat(steps()).isZero();
    assertThat(heard()).containsExactly("+a1");
    assertThat(losses).isZero();
  }

  @Test
  void goesOnWithAListThatBrokeOff() throws Exception {
    breaker.of("o150", 1, 1);
    fifo.replace(objects(300), -1);
    assertThat(steps()).isEqualTo(2);
    assertThat(applier.hasSynced()).isTrue();
    assertThat(store.size()).isEqualTo(300);
    assertThat(heard()).hasSize(300).allMatch(event -> event.endsWith(" initial"));
    assertThat(second.lane().hasSynced()).isTrue();
    breaker.of("o7", 1, 1);
    fifo.replace(objects(7), -1);
    assertThat(steps()).isEqualTo(2);
    assertThat(store.size()).isEqualTo(7);
    assertThat(heard()).hasSize(293).doesNotHaveDuplicates();
  }

  private static List<CachedObject<ConfigMap>> objects(int count) {
    return IntStream.range(0, count).mapToObj(i -> state("o" + i, 1)).toList();
  }

  /** Else a handler that never hears of the end of the list would keep its controller waiting. */
  @Test
  void tellsTheEndOfTheFirstListThoughThatBrokeOff() throws Exception {
    fifo.replace(List.of(), -1);
    clock.readsUntilFailure = 1;
    assertThatThrownBy(applier::run).isInstanceOf(OutOfMemoryError.class);
    assertThat(applier.hasSynced()).as("before any handler").isTrue();
    assertThat(steps()).isZero();
    heard();
    assertThat(first.lane().hasSynced()).isTrue();
    assertThat(second.lane().hasSynced()).isTrue();
    assertThat(applier.hasSynced()).isTrue();
  }

  /** A late handler is not left out because its replay broke off. */
  @Test
  @Proves("002-27")
  void letsALateHandlerJoinThoughThatBrokeOff() throws Exception {
    synced(objects(3));
    SteppedHandler late = new SteppedHandler(processor);
    fifo.sync(
        () ->
            late.lane()
                .join(
                    store.list().stream()
                        .<ResourceEvent<ConfigMap>>map(
                            object -> new ResourceEvent.Added<>(object, true))
                        .toList(),
                    applier.hasSynced()));
    fifo.added(state("z", 2));
    clock.readsUntilFailure = 0;
    assertThat(steps()).isEqualTo(1);
    assertThat(late.handleAll()).hasSize(4).endsWith("+z2");
    assertThat(late.lane().hasSynced()).isTrue();
    assertThat(heard()).containsExactly("+z2");
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

  /**
   * A change is given up after three failures so that others can proceed. The log names its key,
   * never its content.
   */
  @Test
  @Proves("002-20")
  void givesUpAChangeThatBreaksOffThreeTimes() throws Exception {
    synced(List.of());
    breaker.of("bad", 3, 0);
    fifo.added(state("a", 1));
    fifo.added(state("bad", 1));
    fifo.added(state("c", 1));
    List<String> logged =
        Logs.during(
            SharedIndexInformer.class,
            () -> assertThat(steps()).isEqualTo(2)); // and one in silence
    assertThat(logged)
        .containsExactly(
            "ERROR Failed to write ConfigMap default/bad (version 1) to the cache; requesting a new"
                + " list");
    assertThat(losses).isEqualTo(1);
    assertThat(heard()).containsExactly("+a1", "+c1");
    fifo.replace(List.of(state("a", 1), state("bad", 1), state("c", 1)), -1);
    steps();
    assertThat(heard()).as("healed by the list").containsExactly("+bad1");
  }

  /** If it is in the cache, no list would tell it. */
  @Test
  void tellsWhatIsInTheCacheThoughItWasGivenUp() throws Exception {
    synced(List.of());
    breaker.of("bad", 0, 3);
    fifo.added(state("bad", 1));
    assertThat(steps()).isEqualTo(2);
    assertThat(losses).isEqualTo(1);
    assertThat(heard()).containsExactly("+bad1");
  }

  /** If one object of a list can't be written, the rest of the list is still applied. */
  @Test
  void leavesOutOfAListOnlyTheObjectsThatCantBeWritten() throws Exception {
    breaker.of("o3", 1_000, 0);
    fifo.replace(objects(6), -1);
    assertThat(steps()).isEqualTo(2);
    assertThat(losses).isEqualTo(1);
    assertThat(heard()).hasSize(5).doesNotContain("+o31 initial");
    assertThat(applier.hasSynced()).isTrue();
    breaker.of("o2", 1_000, 0);
    fifo.replace(List.of(), -1);
    assertThat(steps()).as("nor can it be removed").isEqualTo(2);
    assertThat(store.keys()).containsExactly(key("o2"));
    assertThat(heard()).hasSize(4);
    assertThat(losses).isEqualTo(2);
    breaker.of("", 0, 0);
    fifo.replace(List.of(), -1);
    steps();
    assertThat(heard()).containsExactly("-o21 missed");
  }

  @Test
  void givesUpAnActionThatThrowsThreeTimes() throws Exception {
    synced(List.of());
    int[] calls = new int[1];
    fifo.sync(
        () -> {
          calls[0]++;
          throw new OutOfMemoryError("test");
        });
    fifo.added(state("a", 1));
    List<String> logged =
        Logs.during(SharedIndexInformer.class, () -> assertThat(steps()).isEqualTo(2));
    assertThat(logged)
        .containsExactly(
            "ERROR Failed to apply a resync, or the replay for a new handler; requesting a new"
                + " list");
    assertThat(calls[0]).isEqualTo(3);
    assertThat(losses).isEqualTo(1);
    assertThat(heard()).containsExactly("+a1");
  }

  /** Failures that are far apart are not one change's. */
  @Test
  void countsTheFailuresOfEachChange() throws Exception {
    synced(List.of());
    for (int i = 1; i <= 3; i++) {
      breaker.of("a", 2, 0);
      fifo.updated(state("a", i));
      assertThat(steps()).isEqualTo(2);
    }
    assertThat(heard()).containsExactly("+a1", "~a1>2", "~a2>3");
    fifo.replace(List.of(state("b", 1), state("c", 1)), -1);
    breaker.of("b", 2, 0);
    breaker.then("c", 2);
    assertThat(steps()).as("also inside of a list").isEqualTo(4);
    assertThat(heard()).hasSize(3);
    for (int i = 0; i < 2; i++) {
      int[] left = {2};
      fifo.sync(
          () -> {
            if (left[0]-- > 0) {
              throw new OutOfMemoryError("test");
            }
          });
    }
    assertThat(steps()).as("and of actions, which write nothing").isEqualTo(4);
    assertThat(losses).isZero();
  }
}
