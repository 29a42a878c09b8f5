// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.object.ConfigMaps;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SharedInformerFactoryTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final InformerSpec<ConfigMap> SPEC = InformerSpec.of(ConfigMap.class);

  private final List<String> connections = Collections.synchronizedList(new ArrayList<>());
  private final List<FakeListerWatcher> servers = Collections.synchronizedList(new ArrayList<>());
  private final ManualScheduler time = new ManualScheduler();
  private final SharedInformerFactory factory =
      new SharedInformerFactory(
          this::connect,
          WatchScope.namespace("default"),
          InformerOptions.defaults().withScheduler(time));

  private FakeListerWatcher connect(ResourceType type, WatchScope scope) {
    connections.add(type.plural() + " in " + scope);
    FakeListerWatcher server = new FakeListerWatcher();
    servers.add(server);
    return server;
  }

  @AfterEach
  void shutsDown() throws InterruptedException {
    assertThat(factory.shutDown(LIMIT)).isTrue();
    servers.forEach(FakeListerWatcher::assertNothingOpen);
  }

  /** A hundred threads ask, one informer answers, over one connection. */
  @Test
  void makesOneInformerHoweverManyAsk() throws Exception {
    Set<SharedIndexInformer<ConfigMap>> found = ConcurrentHashMap.newKeySet();
    inParallel(100, () -> found.add(factory.informer(ConfigMap.class)));
    assertThat(found).hasSize(1);
    assertThat(connections).containsExactly("configmaps in namespace default");
  }

  /** Another scope is another informer. */
  @Test
  void makesOneInformerPerTypeAndScope() {
    var first = factory.informer(ConfigMap.class);
    assertThat(factory.informer(ConfigMap.class, WatchScope.namespace("default"))).isSameAs(first);
    assertThat(factory.informer(ConfigMap.class, WatchScope.ALL)).isNotSameAs(first);
    assertThat(factory.informer(ConfigMap.class, WatchScope.ALL.withLabels("a=b")))
        .isNotSameAs(first);
    factory.informer(Secret.class);
    assertThat(factory.informers()).hasSize(4).first().isSameAs(first);
    assertThat(connections)
        .containsExactly(
            "configmaps in namespace default",
            "configmaps in all namespaces",
            "configmaps in all namespaces with labels a=b",
            "secrets in namespace default");
  }

  /** What nobody asked for does not exist. */
  @Test
  void showsOnlyWhatSomebodyAskedFor() {
    assertThat(factory.existing(ConfigMap.class)).isEmpty();
    var informer = factory.informer(ConfigMap.class);
    assertThat(factory.existing(ConfigMap.class)).contains(informer);
    assertThat(factory.existing(Secret.class)).isEmpty();
  }

  /** May be called again, and starts the new ones only. */
  @Test
  void startsWhatHasNotBeenStarted() {
    var first = factory.informer(ConfigMap.class);
    factory.start();
    var second = factory.informer(Secret.class);
    assertThat(first.loops()).allMatch(Loop::isRunning);
    assertThat(second.loops()).noneMatch(Loop::isRunning);
    factory.start();
    assertThat(first.loops()).allMatch(Loop::isRunning);
    assertThat(second.loops()).allMatch(Loop::isRunning);
  }

  /** A shutdown ends all threads, and nothing starts after it. */
  @Test
  void startsNothingAfterAShutdown() throws Exception {
    var first = factory.informer(ConfigMap.class);
    factory.start();
    assertThat(factory.shutDown(LIMIT)).isTrue();
    assertThat(first.loops()).noneMatch(Loop::isRunning);
    var second = factory.informer(Secret.class);
    factory.start();
    assertThat(first.loops()).noneMatch(Loop::isRunning);
    assertThat(second.loops()).noneMatch(Loop::isRunning);
  }

  /** Each cache has a watch of its own, and a reconcile may read from the slower one. */
  @Test
  void cachesOfOneTypeTellEachOtherWhatTheyHaveReceived() {
    var all = factory.informer(ConfigMap.class, WatchScope.ALL);
    var one = factory.informer(ConfigMap.class);
    var labelled = factory.informer(ConfigMap.class, WatchScope.ALL.withLabels("a=b"));
    var elsewhere = factory.informer(ConfigMap.class, WatchScope.namespace("elsewhere"));
    factory.start();
    for (var informer : factory.informers()) {
      Eventually.until(informer::hasSynced);
    }
    server(0).put(ConfigMaps.json("x"));
    Eventually.until(() -> one.overlay().isUnclear(ConfigMaps.key("x")));
    assertThat(labelled.overlay().waiting()).as("the object has no label").isZero();
    assertThat(elsewhere.overlay().waiting()).isZero();

    server(1).put(ConfigMaps.json("x"));
    Eventually.until(() -> !one.overlay().isUnclear(ConfigMaps.key("x")));

    server(1).put(ConfigMaps.json("x"));
    Eventually.until(() -> all.overlay().isUnclear(ConfigMaps.key("x")));
  }

  // ---- leases

  /** A hundred threads, one informer, one watch; and the last one turns off the light. */
  @Test
  void sharesOneWatchAmongLeasesUntilTheLastIsClosed() throws Exception {
    factory.start();
    List<InformerHandle<ConfigMap>> leases = Collections.synchronizedList(new ArrayList<>());
    inParallel(100, () -> leases.add(factory.acquire(SPEC)));
    assertThat(leases).extracting(InformerHandle::informer).containsOnly(leases.get(0).informer());
    factory.start();
    Eventually.until(leases.get(0).informer()::hasSynced);
    Eventually.until(() -> server(0).watches().size() == 1);

    inParallel(99, () -> closeTwice(leases.remove(0)));
    assertThat(leases).hasSize(1);
    server(0).put(ConfigMaps.json("a"));
    Eventually.until(() -> leases.get(0).informer().indexer().size() == 1);
    leases.get(0).close();
    assertThat(factory.informers()).isEmpty();
    Eventually.until(() -> server(0).openStreams() == 0);
    assertThat(server(0).lists()).hasSize(1);
    assertThat(server(0).watches()).hasSize(1);
    assertThat(connections).hasSize(1);
  }

  private static void closeTwice(InformerHandle<?> lease) {
    lease.close();
    lease.close();
  }

  @Test
  void keepsAnInformerObtainedWithoutALease() {
    InformerHandle<ConfigMap> lease = factory.acquire(SPEC);
    var informer = factory.informer(SPEC);
    factory.start();
    Eventually.until(informer::hasSynced);
    lease.close();
    server(0).put(ConfigMaps.json("a"));
    Eventually.until(() -> informer.indexer().size() == 1);
    assertThat(factory.informers()).containsExactly(informer);
  }

  @Test
  void makesANewInformerAfterTheLastLease() {
    InformerHandle<ConfigMap> first = factory.acquire(SPEC);
    factory.start();
    Eventually.until(first.informer()::hasSynced);
    first.close();
    InformerHandle<ConfigMap> second = factory.acquire(SPEC);
    assertThat(second.informer()).isNotSameAs(first.informer());
    assertThat(second.informer().loops()).noneMatch(Loop::isRunning);
    factory.start();
    Eventually.until(second.informer()::hasSynced);
    first.close();
    assertThat(factory.informers()).as("an old lease says nothing of it").hasSize(1);
    second.close();
    assertThat(factory.informers()).isEmpty();
  }

  /** What is copied, and what of it, makes them what they are. */
  @Test
  void sharesAmongEqualSpecsOnly() {
    Transform transform = tree -> {};
    List<InformerSpec<ConfigMap>> specs =
        List.of(
            SPEC,
            SPEC.in(WatchScope.namespace("a")),
            SPEC.in(WatchScope.ALL.withLabels("a=b")),
            SPEC.in(WatchScope.ALL.withFields("metadata.name=a")),
            SPEC.with(Projection.METADATA),
            SPEC.with(transform),
            SPEC.with(tree -> {}));
    assertThat(specs).extracting(factory::informer).doesNotHaveDuplicates();
    assertThat(factory.acquire(InformerSpec.of(ConfigMap.class).with(transform)).informer())
        .isSameAs(factory.informer(specs.get(5)));
    assertThat(factory.informer(InformerSpec.of(ConfigMap.class).with(Projection.METADATA)))
        .isSameAs(factory.informer(specs.get(4)));
    assertThat(factory.informers()).hasSize(specs.size());
  }

  // ---- shutting down

  @Test
  void stopsTheOthersWhenOneHangs() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    var hanging = factory.informer(ConfigMap.class);
    var other = factory.informer(Secret.class);
    server(0).put(ConfigMaps.json("a"));
    hanging.addEventHandler(
        event -> {
          entered.countDown();
          goOn.await();
        });
    factory.start();
    entered.await();
    Eventually.until(other::hasSynced);
    assertThat(factory.shutDown(Duration.ofMillis(50))).isFalse();
    Eventually.until(() -> other.loopsLeft().isEmpty());
    assertThat(hanging.loops()).noneMatch(Loop::isRunning);
    assertThat(hanging.loopsLeft()).hasSize(1);
    assertThat(server(1).openStreams()).isZero();
    goOn.countDown();
    Eventually.until(() -> hanging.loopsLeft().isEmpty());
  }

  /** A shut-down also waits for informers whose leases were closed before. */
  @Test
  void waitsForThoseThatWereGivenUp() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    InformerHandle<ConfigMap> lease = factory.acquire(SPEC);
    server(0).put(ConfigMaps.json("a"));
    lease
        .informer()
        .addEventHandler(
            event -> {
              entered.countDown();
              goOn.await();
            });
    factory.start();
    entered.await();
    lease.close();
    assertThat(factory.shutDown(Duration.ofMillis(50))).isFalse();
    goOn.countDown();
    assertThat(factory.shutDown(LIMIT)).isTrue();
    assertThat(lease.informer().loopsLeft()).isEmpty();
  }

  /** The factory waits for its threads, but must not hold what they have let go of. */
  @Test
  void freesTheMemoryWhenTheLastLeaseIsClosed() throws Exception {
    WeakReference<?> copy = runAndGiveUp();
    Eventually.until(
        () -> {
          System.gc();
          return copy.refersTo(null);
        });
  }

  private WeakReference<?> runAndGiveUp() {
    factory.start();
    InformerHandle<ConfigMap> lease = factory.acquire(SPEC);
    server(0).put(ConfigMaps.json("a"));
    lease.informer().addEventHandler(event -> {});
    factory.start();
    Eventually.until(() -> lease.informer().indexer().size() == 1);
    lease.close();
    return new WeakReference<>(lease.informer().indexer());
  }

  /** If the wait for one informer is interrupted, the threads of the others still end. */
  @Test
  void asksAllInformersToEndThoughItIsInterrupted() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch entered = new CountDownLatch(1);
    var hanging = factory.informer(ConfigMap.class);
    server(0).put(ConfigMaps.json("a"));
    hanging.addEventHandler(
        event -> {
          entered.countDown();
          goOn.await();
        });
    var other = factory.informer(Secret.class);
    other.addEventHandler(event -> {}, Duration.ofSeconds(5));
    factory.start();
    entered.await();
    Eventually.until(other::hasSynced);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> factory.shutDown(LIMIT)).isInstanceOf(InterruptedException.class);
    Eventually.until(() -> other.loopsLeft().isEmpty());
    // Loops cancel their own alarms as they end, and those of the hanging informer may be at it
    // yet.
    Eventually.until(() -> hanging.loops().stream().noneMatch(Loop::isRunning));
    assertThat(time.pending()).as("alarms of resyncs").isEmpty();
    goOn.countDown();
    Eventually.until(() -> hanging.loopsLeft().isEmpty());
  }

  /** A process may run out of threads, and get some again. */
  @Test
  void startsWhatAStartThatBrokeOffHadNotStarted() throws Exception {
    for (int failing = 1; failing <= 3; failing++) {
      AtomicInteger left = new AtomicInteger(failing);
      ThreadFactory threads =
          task ->
              new Thread(task) {
                @Override
                public synchronized void start() {
                  if (left.decrementAndGet() == 0) {
                    throw new OutOfMemoryError("unable to create native thread");
                  }
                  super.start();
                }
              };
      SharedInformerFactory poor =
          new SharedInformerFactory(
              this::connect,
              WatchScope.ALL,
              InformerOptions.defaults().withScheduler(time).withThreads(threads));
      var informer = poor.informer(ConfigMap.class);
      List<String> heard = Collections.synchronizedList(new ArrayList<>());
      server(failing - 1).put(ConfigMaps.json("a"));
      informer.addEventHandler(event -> heard.add(event.object().key().name()));
      assertThatThrownBy(poor::start).isInstanceOf(IllegalStateException.class);
      poor.start();
      Eventually.until(() -> heard.equals(List.of("a")));
      assertThat(poor.shutDown(LIMIT)).isTrue();
    }
  }

  private FakeListerWatcher server(int number) {
    return servers.get(number);
  }

  private static void inParallel(int count, Runnable task) throws InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  go.await();
                  task.run();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      thread.start();
      threads.add(thread);
    }
    go.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void asksTheServerToEndWatchesAfterTheTimeThatWasSet() throws Exception {
    SharedInformerFactory patient =
        new SharedInformerFactory(
            this::connect,
            WatchScope.ALL,
            InformerOptions.defaults().withScheduler(time).withWatchTimeout(Duration.ofMinutes(5)));
    var informer = patient.informer(ConfigMap.class);
    patient.start();
    Eventually.until(() -> informer.hasSynced() && !server(0).watches().isEmpty());
    assertThat(server(0).watches().get(0).timeout())
        .isBetween(Duration.ofMinutes(5), Duration.ofSeconds(450));
    assertThat(patient.shutDown(LIMIT)).isTrue();
    for (Duration wrong : List.of(Duration.ofSeconds(9), Duration.ofMinutes(61))) {
      assertThatThrownBy(() -> InformerOptions.defaults().withWatchTimeout(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("at least 10 s and at most 1 h");
    }
  }
}
