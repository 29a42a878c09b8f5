// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.fifo.DeltaFifo;
import dev.windlass.informer.index.Lister;
import dev.windlass.informer.index.Store;
import dev.windlass.informer.notify.SharedProcessor;
import dev.windlass.informer.notify.SteppedHandler;
import dev.windlass.informer.reflector.KnownObjects;
import dev.windlass.informer.reflector.Reflector;
import dev.windlass.informer.reflector.ReflectorOptions;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Transform;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.StepDelay;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link SharedIndexInformer} puts together, from the reflector to one handler, in steps
 * that are taken by the test's own thread, against a server in memory.
 */
final class SteppedChain implements AutoCloseable {

  final FakeListerWatcher server = new FakeListerWatcher();
  final ManualScheduler time = new ManualScheduler();
  final FeedStats stats = new FeedStats(time);
  final Store<ConfigMap> store = Store.create();
  final Lister<ConfigMap> lister = new Lister<>(store);
  final DeltaFifo<ConfigMap> fifo = new DeltaFifo<>(() -> {}, time::nanoTime);
  final SharedProcessor<ConfigMap> processor = new SharedProcessor<>("test", time, Thread::new);
  final SteppedHandler handler = new SteppedHandler(processor);
  final Reflector<ConfigMap> reflector;
  final DeltaApplier<ConfigMap> applier;

  /** What the handler has heard and nobody has asked for. */
  private final List<String> heard = new ArrayList<>();

  SteppedChain() {
    this(Transform.NONE, Duration.ZERO);
  }

  /**
   * A chain whose reflector has not taken a step.
   *
   * @param auditPeriod zero for no audits
   */
  SteppedChain(Transform transform, Duration auditPeriod) {
    reflector =
        new Reflector<>(
            server,
            new ObjectDecoder<>(ConfigMaps.CODEC, transform),
            fifo,
            new Copied(),
            new ReflectorOptions(time, () -> 0, stats, auditPeriod, Duration.ofSeconds(20)),
            () -> {});
    applier = new DeltaApplier<>(fifo, store, processor, reflector::requestList);
    handler.lane().join(List.of(), false);
  }

  private final class Copied implements KnownObjects<ConfigMap> {
    @Override
    public @Nullable CachedObject<ConfigMap> get(ObjectKey key) {
      return store.get(key).orElse(null);
    }

    @Override
    public Collection<ObjectKey> keys() {
      return store.keys();
    }
  }

  /** Lets the reflector alone do what there is to do now, and says when there is more. */
  Duration reflect() {
    for (int i = 0; i < 10_000; i++) {
      StepDelay pause = reflector.run();
      if (!pause.equals(StepDelay.NONE)) {
        return pause.limit().orElse(Duration.ofDays(1));
      }
    }
    throw new AssertionError("a hot loop");
  }

  /** Lets everybody do what there is to do now, and says when there is more. */
  Duration run() throws Exception {
    Duration pause = reflect();
    for (int i = 0; applier.run().equals(StepDelay.NONE); i++) {
      assertThat(i).as("a hot loop").isLessThan(10_000);
    }
    heard.addAll(handler.handleAll());
    return pause;
  }

  /** Lets that much time pass, in which everybody does what there is to do when it is due. */
  void runFor(Duration span) throws Exception {
    long until = time.nanoTime() + span.toNanos();
    Duration pause = run();
    while (time.nanoTime() < until) {
      long left = until - time.nanoTime();
      time.advance(Duration.ofNanos(Math.min(left, Math.max(1, pause.toNanos()))));
      pause = run();
    }
  }

  /** Runs what is due, and says what the handler has heard since this was asked last. */
  List<String> heard() throws Exception {
    run();
    List<String> all = List.copyOf(heard);
    heard.clear();
    return all;
  }

  void put(String name) {
    server.put(ConfigMaps.json(name));
  }

  void delete(String name) {
    server.delete(ConfigMaps.key(name));
  }

  /** The version of each object in the cache. */
  Map<ObjectKey, String> cached() {
    Map<ObjectKey, String> versions = new TreeMap<>();
    store.list().forEach(object -> versions.put(object.key(), object.resourceVersion()));
    return versions;
  }

  void assertCacheIsTrue() {
    assertThat(cached()).isEqualTo(server.versions());
  }

  /** How many lists were asked for, all reasons together. */
  long lists() {
    return stats.lists().values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public void close() {
    reflector.close();
    server.assertNothingOpen();
  }
}
