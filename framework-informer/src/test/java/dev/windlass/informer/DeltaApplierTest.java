// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import static dev.windlass.object.ConfigMaps.decode;
import static dev.windlass.object.ConfigMaps.json;
import static dev.windlass.object.ConfigMaps.key;
import static dev.windlass.object.ConfigMaps.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.fifo.DeltaFifo;
import dev.windlass.informer.index.Store;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.SharedProcessor;
import dev.windlass.informer.notify.SteppedHandler;
import dev.windlass.informer.ownwrites.Overlay;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import dev.windlass.object.ParsedObject;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * FIFO, applier, store and one lane, stepped manually on the test's thread. Covers
 * docs/reliability.md, A8, C1, C2 and C4 to C6.
 */
final class DeltaApplierTest {

  private final DeltaFifo<ConfigMap> fifo = new DeltaFifo<>(() -> {});
  private final Store<ConfigMap> store = Store.create();
  private final SharedProcessor<ConfigMap> processor =
      new SharedProcessor<>("test", new ManualScheduler(), Thread::new);
  private final DeltaApplier<ConfigMap> applier =
      new DeltaApplier<>(fifo, store, processor, () -> {});
  private final SteppedHandler handler = new SteppedHandler(processor);

  @BeforeEach
  void joins() {
    handler.lane().join(List.of(), false);
  }

  @AfterEach
  void appliesEverything() {
    assertThat(fifo.size()).isZero();
  }

  /** Applies and handles all that waits, and says what the handler heard since the last time. */
  private List<String> heard() throws Exception {
    StepDelay pause = applier.run();
    while (pause.equals(StepDelay.NONE) || fifo.size() > 0) { // a step can queue another one
      pause = applier.run();
    }
    assertThat(pause).isEqualTo(StepDelay.UNTIL_WOKEN);
    return handler.handleAll();
  }

  private void synced(List<CachedObject<ConfigMap>> objects) throws Exception {
    fifo.replace(objects, -1);
    heard();
  }

  /** Otherwise, a handler could have synced, and with it a controller, before the informer has. */
  @Test
  void hasSyncedBeforeItTellsTheHandlers() {
    List<Boolean> told = new ArrayList<>();
    AtomicReference<@Nullable DeltaApplier<ConfigMap>> applies = new AtomicReference<>();
    ManualScheduler time = new ManualScheduler();
    Scheduler observing =
        new Scheduler() {
          @Override
          public long nanoTime() { // is read when the handlers are told
            DeltaApplier<ConfigMap> now = applies.get();
            if (now != null) {
              told.add(now.hasSynced());
            }
            return time.nanoTime();
          }

          @Override
          public Alarm schedule(Runnable task, Duration delay) {
            return time.schedule(task, delay);
          }
        };
    SharedProcessor<ConfigMap> observed = new SharedProcessor<>("test", observing, Thread::new);
    new SteppedHandler(observed).lane().join(List.of(), false);
    applies.set(new DeltaApplier<>(fifo, Store.create(), observed, () -> {}));
    fifo.replace(List.of(), -1);
    assertThat(Objects.requireNonNull(applies.get()).run()).isEqualTo(StepDelay.UNTIL_WOKEN);
    assertThat(told).isNotEmpty().containsOnly(true);
  }

  @Nested
  final class Meaning {

    /** The content of the cache determines what a change means. */
    @Test
    void takesAnAdditionOfAKnownObjectAsAnUpdate() throws Exception {
      synced(List.of(state("a", 1)));
      fifo.added(state("a", 2));
      assertThat(heard()).containsExactly("~a1>2");
    }

    @Test
    void takesAnUpdateOfAnUnknownObjectAsAnAddition() throws Exception {
      synced(List.of());
      fifo.updated(state("a", 2));
      assertThat(heard()).containsExactly("+a2");
    }

    /** The old state is the one that the handler heard of last. */
    @Test
    void tellsTheStateBefore() throws Exception {
      synced(List.of(state("a", 1)));
      fifo.updated(state("a", 2));
      fifo.updated(state("a", 5));
      fifo.deleted(state("a", 6));
      assertThat(heard()).containsExactly("~a1>2", "~a2>5", "-a6");
    }

    /** Inside of a handler, the cache is at least as new as the event. */
    @Test
    void updatesTheCacheBeforeItTellsAnybody() throws Exception {
      handler.onEvent(
          event ->
              assertThat(store.get(event.key()).map(CachedObject::resourceVersion))
                  .isEqualTo(
                      event.type() == ResourceEvent.Type.DELETED
                          ? Optional.empty()
                          : Optional.of(event.object().resourceVersion())));
      synced(List.of(state("a", 1)));
      fifo.updated(state("a", 2));
      assertThat(heard()).hasSize(1);
      fifo.deleted(state("a", 3));
      assertThat(heard()).hasSize(1);
    }

    /** A later object with this name has been deleted, so the known one must be gone as well. */
    @Test
    void endsWhatIsKnownWhenItsSuccessorEnds() throws Exception {
      synced(List.of(state("a", "first", 1)));
      fifo.deleted(state("a", "second", 9));
      assertThat(heard()).containsExactly("-a1 missed");
      assertThat(store.size()).isZero();
    }

    /** Opaque versions say nothing about what came first. */
    @Test
    void endsNothingForTheSakeOfVersionsThatAreNoNumbers() throws Exception {
      synced(List.of(state("a", "first", 1)));
      fifo.deleted(ConfigMaps.decode(ConfigMaps.json("a", "second", "v9")));
      assertThat(heard()).isEmpty();
    }

    /** Above the bound, the FIFO forgets who came and went. */
    @Test
    void leavesNoGhostWhenTheFifoForgetsWhatTheCacheKnows() throws Exception {
      synced(List.of(state("a", "2", 5)));
      for (int i = 0; i < DeltaFifo.BOUND; i++) {
        fifo.added(state("filler" + i, 1));
      }
      fifo.deleted(state("a", "1", 3));
      fifo.added(state("a", "2", 5));
      fifo.deleted(state("a", "2", 7));
      fifo.added(state("a", "3", 8));
      fifo.deleted(state("a", "3", 9));
      assertThat(heard()).hasSize(DeltaFifo.BOUND + 1).endsWith("-a5 missed");
      assertThat(store.get(key("a"))).isEmpty();
    }

    @Test
    void tellsARecreationThatItSawAsItWas() throws Exception {
      synced(List.of(state("a", "first", 1)));
      fifo.deleted(state("a", "first", 2));
      fifo.added(state("a", "second", 3));
      assertThat(heard()).containsExactly("-a2", "+a3");
    }
  }

  @Nested
  final class Lists {

    /** Changed, unchanged, missing and new objects. */
    @Test
    void tellsWhatALateListMeans() throws Exception {
      synced(List.of(state("a", 1), state("b", 2), state("c", 3), state("d", "first", 4)));
      fifo.replace(
          List.of(state("a", 1), state("b", 9), state("e", 8), state("d", "second", 7)), -1);
      assertThat(heard())
          .containsExactlyInAnyOrder("~b2>9", "+e8", "-d4 missed", "+d7", "-c3 missed");
      assertThat(store.keys()).containsExactlyInAnyOrder(key("a"), key("b"), key("d"), key("e"));
    }

    /** After a change of a CRD's conversion, the server sends the same versions in other words. */
    @Test
    void takesOtherContentOfTheSameVersionAsAnUpdate() throws Exception {
      synced(List.of(state("a", 1), state("b", 2)));
      CachedObject<ConfigMap> converted = decode(json("a", "a", "1").replace("\"v\"", "\"w\""));
      fifo.replace(List.of(converted, state("b", 2)), -1);
      assertThat(heard()).containsExactly("~a1>1");
      assertThat(store.get(key("a"))).contains(converted);
    }

    /** A change that arrives after the list is not undone by it. */
    @Test
    void appliesWhatComesAfterAListAfterIt() throws Exception {
      fifo.replace(List.of(state("a", 1), state("b", 1)), -1);
      fifo.updated(state("a", 2));
      fifo.deleted(state("b", 3));
      assertThat(heard()).containsExactly("+a1 initial", "+b1 initial", "~a1>2", "-b3");
    }

    /** A handler has synced once it has processed the list. */
    @Test
    void makesTheCacheSyncedAndThenTheHandlers() throws Exception {
      assertThat(applier.hasSynced()).isFalse();
      fifo.added(state("early", 1));
      applier.run();
      assertThat(applier.hasSynced()).as("no list yet").isFalse();
      fifo.replace(List.of(state("early", 1), state("a", 1)), -1);
      applier.run();
      assertThat(applier.hasSynced()).isTrue();
      assertThat(handler.lane().hasSynced()).isFalse();
      assertThat(heard()).containsExactly("+early1 initial", "+a1 initial");
      assertThat(handler.lane().hasSynced()).isTrue();
      fifo.added(state("b", 2));
      assertThat(heard()).containsExactly("+b2");
    }

    @Test
    void isSyncedByAnEmptyList() throws Exception {
      fifo.replace(List.of(), -1);
      assertThat(heard()).isEmpty();
      assertThat(applier.hasSynced()).isTrue();
      assertThat(handler.lane().hasSynced()).isTrue();
    }

    /** What is in both lists is never missing; what has gone goes when all is there. */
    @Test
    void replacesTheCopyKeyByKey() {
      Store<ConfigMap> copy = Store.create();
      List<String> copies = new ArrayList<>();
      DeltaApplier<ConfigMap> replacing =
          new DeltaApplier<>(
              fifo,
              WatchedStore.of(
                  copy,
                  new WatchedStore.Watcher() {
                    @Override
                    public void before(String name) {}

                    @Override
                    public void after(String name) {
                      copies.add(show(copy));
                    }
                  }),
              processor,
              () -> {});
      fifo.replace(List.of(state("a", "first", 1), state("b", 1), state("c", 1)), -1);
      replacing.run();
      copies.clear();
      fifo.replace(List.of(state("a", "second", 5), state("b", 6), state("d", 7)), -1);
      assertThat(show(copy)).as("while the list waits").isEqualTo("a1 b1 c1");
      replacing.run();
      assertThat(copies).containsExactly("a5 b1 c1", "a5 b6 c1", "a5 b6 c1 d7", "a5 b6 d7");
    }

    private String show(Store<ConfigMap> copy) {
      return copy.list().stream()
          .map(object -> object.key().name() + object.resourceVersion())
          .sorted()
          .collect(Collectors.joining(" "));
    }

    /** Others deleted what this process had created, before the watch showed it. */
    @Test
    void tellsOfTheDeletionOfAnOwnObjectThatTheWatchNeverShowed() throws Exception {
      Overlay<ConfigMap> overlay = overlay();
      synced(List.of(state("a", 1)));
      overlay.written(own("own", "5"));
      fifo.replace(List.of(state("a", 1)), 4);
      assertThat(heard()).as("a list from before the creation").isEmpty();
      assertThat(overlay.get(key("own"))).isPresent();

      fifo.replace(List.of(state("a", 1)), 7);

      assertThat(heard()).containsExactly("+own5", "-own5 missed");
      assertThat(overlay.get(key("own"))).isEmpty();
      overlay.written(own("own2", "8"));
      fifo.replace(List.of(state("a", 1), state("own", "own2", 9)), 9);
      assertThat(heard()).as("what the list has is not told twice").containsExactly("+own9");
    }

    /** The response to the creation comes last, when the list has shown that the object is gone. */
    @Test
    void tellsOfTheDeletionOfAnOwnObjectWhoseResponseIsLaterThanTheList() throws Exception {
      Overlay<ConfigMap> overlay = overlay();
      synced(List.of(state("a", 1)));
      overlay.begin();
      fifo.replace(List.of(state("a", 1)), 7);
      heard();
      overlay.written(own("own", "5"));
      overlay.end();

      assertThat(heard()).containsExactly("+own5", "-own5 missed");
      assertThat(overlay.get(key("own"))).isEmpty();
    }

    /** The watch has told of the deletion, so the late response tells nothing new. */
    @Test
    void tellsOnceOfTheDeletionOfAnOwnObjectThatTheWatchShowed() throws Exception {
      Overlay<ConfigMap> overlay = overlay();
      synced(List.of());
      overlay.begin();
      fifo.added(state("own", "own", 5));
      assertThat(heard()).containsExactly("+own5");
      fifo.deleted(state("own", "own", 6));
      fifo.replace(List.of(), 7);
      assertThat(heard()).containsExactly("-own6");
      overlay.written(own("own", "5"));
      overlay.end();

      assertThat(heard()).isEmpty();
    }

    /** A successor has the key when the response arrives; its arrival says what there is. */
    @Test
    void tellsNothingOfAnOwnObjectWhoseSuccessorIsThere() throws Exception {
      Overlay<ConfigMap> overlay = overlay();
      synced(List.of());
      overlay.begin();
      fifo.replace(List.of(), 7);
      heard();
      overlay.written(own("own", "5"));
      overlay.end();
      fifo.added(state("own", "next", 8));
      assertThat(heard()).containsExactly("+own5", "-own5 missed", "+own8");

      fifo.replace(List.of(state("own", "next", 8)), 9);
      overlay.written(own("late", "6"));
      assertThat(heard()).isEmpty();
    }

    private ParsedObject own(String uid, String version) {
      return ParsedObject.of(json("own", uid, version).getBytes(StandardCharsets.UTF_8));
    }

    private Overlay<ConfigMap> overlay() {
      Overlay<ConfigMap> overlay =
          new Overlay<>(
              store, false, ConfigMaps.DECODER, new ManualScheduler(), applier::reportMissed);
      store.observe(overlay);
      return overlay;
    }

    @Test
    void toleratesAnObjectThatIsListedTwice() throws Exception {
      fifo.replace(List.of(state("a", 1), state("a", 1)), -1);
      assertThat(heard()).containsExactly("+a1 initial");
    }
  }

  @Test
  void runsAnActionWhenAllBeforeItIsApplied() throws Exception {
    fifo.replace(List.of(state("a", 1)), -1);
    int[] sizes = new int[1];
    fifo.sync(() -> sizes[0] = store.size());
    fifo.added(state("b", 2));
    heard();
    assertThat(sizes[0]).isEqualTo(1);
  }

  /** A stop must not wait for a backlog to be applied. */
  @Test
  void appliesABoundedNumberOfObjectsInOneStep() throws Exception {
    for (int i = 0; i < 101; i++) {
      fifo.added(state("o" + i, 1));
    }
    assertThat(applier.run()).isEqualTo(StepDelay.NONE);
    assertThat(store.size()).isEqualTo(100);
    heard();
  }
}
