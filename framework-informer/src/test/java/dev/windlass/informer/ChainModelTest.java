// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.fifo.DeltaFifo;
import dev.windlass.informer.fifo.SmallFifo;
import dev.windlass.informer.index.Store;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.SharedProcessor;
import dev.windlass.informer.notify.SteppedHandler;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.FeedListener;
import dev.windlass.informer.reflector.KnownObjects;
import dev.windlass.informer.reflector.Reflector;
import dev.windlass.informer.reflector.ReflectorOptions;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import dev.windlass.object.ObjectKey;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.StepDelay;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/**
 * The whole chain, from the reflector to two handlers, one of which joins late, in steps that are
 * taken at random between changes and faults of the server, and writes of which fail at random. The
 * contract of {@link SharedIndexInformer} in one test: per object, a handler hears of an addition,
 * then updates from the state that it heard of last to newer ones, then a deletion; and when all is
 * quiet, cache and handlers know exactly what the server has.
 */
final class ChainModelTest {

  /** See the class. */
  @Property(tries = 1_000)
  void endsWithWhatTheServerHasAndTellsAPlausibleStory(@ForAll long seed) throws Exception {
    new Chain(seed).check();
  }

  /** One chain with its server. */
  private static final class Chain {

    private final Random random;

    /** How many of ten steps are not taken. */
    private final int applierLaziness;

    private final int handlerLaziness;
    private final long seed;
    private final FakeListerWatcher server = new FakeListerWatcher();
    private final ManualScheduler time = new ManualScheduler();

    /** Few events fill the buffers of some chains, which then must leave some out. */
    private final int bound;

    /** How many of a hundred writes fail, before or after they are done. */
    private int breaks;

    private final DeltaFifo<ConfigMap> fifo;
    private final Store<ConfigMap> store;
    private final SharedProcessor<ConfigMap> processor;
    private final DeltaApplier<ConfigMap> applier;
    private final Reflector<ConfigMap> reflector;
    private final Known early;
    private final Known late;

    Chain(long seed) {
      this.seed = seed;
      random = new Random(seed);
      applierLaziness = random.nextInt(11);
      handlerLaziness = random.nextInt(11);
      bound = random.nextBoolean() ? 1_000 : random.nextInt(10);
      breaks = random.nextBoolean() ? 0 : random.nextInt(60);
      fifo = SmallFifo.of(bound);
      processor = SteppedHandler.processor(time, bound);
      store = WatchedStore.of(Store.create(), breaker());
      reflector =
          new Reflector<>(
              server,
              ConfigMaps.DECODER,
              fifo,
              KnownObjects.nothing(),
              new ReflectorOptions(
                  time, random, FeedListener.NONE, Duration.ZERO, Duration.ofSeconds(20)),
              () -> {});
      applier = new DeltaApplier<>(fifo, store, processor, reflector::requestList);
      early = new Known();
      late = new Known();
    }

    private WatchedStore.Watcher breaker() {
      return new WatchedStore.Watcher() {
        @Override
        public void before(String name) {
          maybeBreak();
        }

        @Override
        public void after(String name) {
          maybeBreak();
        }

        private void maybeBreak() {
          if (random.nextInt(100) < breaks) {
            throw new StackOverflowError("test");
          }
        }
      };
    }

    private void assertBounded() {
      int names = 6; // three events of each may come on top, and a batch may be in hand
      assertThat(early.handler.lane().backlog())
          .as("seed %d", seed)
          .isLessThanOrEqualTo(bound + 100 + 3 * names);
    }

    /** What one handler knows from what it has heard. */
    private final class Known {
      private final SteppedHandler handler = new SteppedHandler(processor);
      private final Map<ObjectKey, CachedObject<ConfigMap>> objects = new HashMap<>();
      private int deletions;

      private void handleSome() throws Exception {
        for (ResourceEvent<ConfigMap> event : handler.handleSome()) {
          handle(event);
        }
      }

      private void handle(ResourceEvent<ConfigMap> event) {
        @Nullable CachedObject<ConfigMap> known = objects.get(event.key());
        switch (event.type()) {
          case ADDED -> {
            assertThat(known).as("seed %d: an addition of what is known: %s", seed, event).isNull();
            objects.put(event.key(), event.object());
          }
          case UPDATED -> {
            ResourceEvent.Updated<ConfigMap> update = (ResourceEvent.Updated<ConfigMap>) event;
            assertThat(known)
                .as("seed %d: the old state of %s", seed, event)
                .isSameAs(update.old());
            assertThat(update.old().isOlderThan(update.object()))
                .as("seed %d: %s goes on", seed, event)
                .isTrue();
            objects.put(event.key(), event.object());
          }
          case DELETED -> {
            assertThat(known)
                .as("seed %d: a deletion of what is unknown: %s", seed, event)
                .isNotNull();
            assertThat(known != null && known.isSameObject(event.object()))
                .as("seed %d: %s is the known object", seed, event)
                .isTrue();
            objects.remove(event.key());
            deletions++;
          }
          case GENERIC -> throw new AssertionError("no informer says so: " + event);
        }
      }
    }

    private static ObjectKey name(Random random) {
      return ConfigMaps.key("o" + random.nextInt(6));
    }

    private void happen() throws Exception {
      switch (random.nextInt(24)) {
        case 0, 1, 2, 3 -> server.put(ConfigMaps.json(name(random).name()));
        case 4, 5 -> server.delete(name(random));
        case 6 -> server.dropWatches();
        case 7 -> server.endWatches();
        case 8 -> server.compact();
        case 9 -> server.bookmark();
        case 10 -> server.pageSize(1 + random.nextInt(3));
        case 11 -> {
          FeedFailure failure = FeedFailure.ofStatus(status(), "test", Duration.ZERO);
          if (random.nextBoolean()) {
            server.failNextList(failure);
          } else {
            server.failNextWatch(failure);
          }
        }
        case 12 -> server.failWatches(FeedFailure.ofStatus(status(), "test", Duration.ZERO));
        case 13 -> {
          if (random.nextBoolean()) {
            server.hold();
          } else {
            server.release();
          }
        }
        case 14 -> time.advance(Duration.ofMillis(random.nextInt(3_000)));
        case 15 -> time.advance(Duration.ofSeconds(random.nextInt(70)));
        case 16, 17, 18 -> reflector.run();
        case 19, 20 -> {
          if (random.nextInt(10) >= applierLaziness) {
            applier.run();
          }
        }
        default -> {
          if (random.nextInt(10) >= handlerLaziness) {
            early.handleSome();
            late.handleSome();
          }
        }
      }
    }

    private int status() {
      return new int[] {401, 403, 404, 410, 410, 410, 429, 500, 503}[random.nextInt(9)];
    }

    private void settle() throws Exception {
      breaks = 0;
      server.release();
      server.forgetScripts();
      for (int i = 0; i < 100; i++) {
        time.advance(Duration.ofSeconds(1));
        while (reflector.run().equals(StepDelay.NONE)) {
          // goes on with what is there
        }
        while (applier.run().equals(StepDelay.NONE)) {
          // applies the rest, and asks for a list if something had been given up
        }
      }
      for (int i = 0; i < 100; i++) {
        early.handleSome();
        late.handleSome();
      }
    }

    private static Map<ObjectKey, String> versions(Iterable<CachedObject<ConfigMap>> objects) {
      Map<ObjectKey, String> versions = new TreeMap<>();
      objects.forEach(object -> versions.put(object.key(), object.resourceVersion()));
      return versions;
    }

    void check() throws Exception {
      early.handler.lane().join(List.of(), false);
      for (int i = 0; i < 400; i++) {
        happen();
        assertBounded();
        if (i == 200) {
          fifo.sync(
              () ->
                  late.handler
                      .lane()
                      .join(
                          store.list().stream()
                              .<ResourceEvent<ConfigMap>>map(
                                  object -> new ResourceEvent.Added<>(object, true))
                              .toList(),
                          applier.hasSynced()));
        }
      }
      settle();
      Map<ObjectKey, String> truth = server.versions();
      assertThat(versions(store.list())).as("seed %d: the cache", seed).isEqualTo(truth);
      assertThat(versions(early.objects.values())).as("seed %d: early", seed).isEqualTo(truth);
      assertThat(versions(late.objects.values())).as("seed %d: late", seed).isEqualTo(truth);
      assertThat(early.handler.lane().hasSynced()).isTrue();
      assertThat(late.handler.lane().hasSynced()).isTrue();
      if (bound == 1_000) {
        assertThat(early.deletions).isGreaterThanOrEqualTo(late.deletions);
      }
      assertThat(server.openStreams()).as("seed %d: one watch", seed).isLessThan(2);
      reflector.close();
      server.assertNothingOpen();
    }
  }
}
