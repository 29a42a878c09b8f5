// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.informer.index.IndexFunction;
import dev.windlass.informer.index.Indexer;
import dev.windlass.informer.index.Query;
import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.selector.Selector;
import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With the threads of all its informers, on virtual time, against a server per namespace. */
@Timeout(60)
final class MultiNamespaceInformerTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final InformerSpec<ConfigMap> SPEC = InformerSpec.of(ConfigMap.class);
  private static final IndexFunction<ConfigMap> BY_NAME = object -> List.of(object.key().name());

  private final Servers servers = new Servers();
  private final SharedInformerFactory factory = servers.factory;

  /** The last call to the factory, whatever a test did before. */
  @AfterEach
  void leavesNothingBehind() throws InterruptedException {
    assertThat(factory.shutDown(LIMIT)).isTrue();
    assertThat(servers.threads)
        .filteredOn(Thread::isAlive)
        .as("those of handlers that were removed end on their own")
        .allMatch(thread -> thread.getName().contains("handler"));
    servers.assertNothingOpen();
  }

  private MultiNamespaceInformer<ConfigMap> of(String... namespaces) {
    return factory.acquire(SPEC, Set.of(namespaces));
  }

  private static List<String> keys(Collection<CachedObject<ConfigMap>> objects) {
    return objects.stream().map(object -> object.key().toString()).toList();
  }

  // ---- reading

  @Test
  void showsTheObjectsOfAllNamespacesAsOne() {
    servers.put("a", "x");
    servers.put("a", "y");
    servers.put("b", "x");
    var informer = of("a", "b");
    informer.indexer().addIndex("name", BY_NAME);
    factory.start();
    Eventually.until(informer::hasSynced);
    Indexer<ConfigMap> all = informer.indexer();

    assertThat(informer.namespaces()).containsExactly("a", "b");
    assertThat(all.get(ObjectKey.of("b", "x"))).isPresent();
    assertThat(all.get(ObjectKey.of("b", "y"))).isEmpty();
    assertThat(all.get(ObjectKey.of("c", "x"))).as("of a namespace that is not in").isEmpty();
    assertThat(keys(all.list())).containsExactlyInAnyOrder("a/x", "a/y", "b/x");
    assertThat(all.keys())
        .extracting(ObjectKey::toString)
        .containsExactlyInAnyOrder("a/x", "a/y", "b/x");
    assertThat(keys(all.byIndex("name", "x"))).containsExactlyInAnyOrder("a/x", "b/x");
    assertThat(keys(all.byIndex(Indexer.BY_NAMESPACE, "a")))
        .containsExactlyInAnyOrder("a/x", "a/y");
    assertThat(keys(all.list(Query.ALL.inNamespace("b").withIndex("name", "x"))))
        .containsExactly("b/x");
    assertThat(keys(all.list(Query.ALL.withLabels(Selector.parse("name=y")))))
        .containsExactly("a/y");
    assertThat(all.indexValues("name")).containsExactlyInAnyOrder("x", "y");
    assertThat(all.indexValues(Indexer.BY_NAMESPACE)).containsExactlyInAnyOrder("a", "b");
    assertThat(all.size()).isEqualTo(3);
    assertThat(all.bytes())
        .isEqualTo(all.list().stream().mapToLong(CachedObject::sizeInBytes).sum())
        .isPositive();
    assertThat(all.indexFailures()).isZero();
    assertThat(informer.lister().list()).hasSize(3);
    assertThat(informer.lister().list("a")).hasSize(2);
    assertThat(informer.lister().get(ObjectKey.of("b", "x"))).isPresent();
    assertThat(informer.statuses())
        .extracting(InformerStatus::objects, InformerStatus::synced)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(2, true),
            org.assertj.core.groups.Tuple.tuple(1, true));
    assertThat(informer.type()).isEqualTo(SPEC.type());
  }

  @Test
  void hasEachIndexInNamespacesThatAreAddedLater() {
    servers.put("a", "x");
    servers.put("b", "x");
    factory.start();
    var informer = of();
    assertThat(informer.hasSynced()).as("there is nothing to wait for").isTrue();
    informer.indexer().addIndex("name", BY_NAME);
    assertThat(informer.indexer().byIndex("name", "x")).isEmpty();
    informer.addNamespace("a");
    informer.addNamespace("b");
    Eventually.until(informer::hasSynced);
    assertThat(keys(informer.indexer().byIndex("name", "x")))
        .containsExactlyInAnyOrder("a/x", "b/x");
    informer.indexer().addIndex("first letter", o -> List.of(o.key().name().substring(0, 1)));
    assertThat(keys(informer.indexer().byIndex("first letter", "x")))
        .as("complete on return")
        .containsExactlyInAnyOrder("a/x", "b/x");
  }

  @Test
  void refusesIndicesThatDoNotExistOrExistAlreadyHoweverFewNamespacesThereAre() {
    var informer = of();
    Indexer<ConfigMap> indexer = informer.indexer();
    for (int namespaces = 0; namespaces < 2; namespaces++) {
      String message = "no index 'name'; there are [namespace]. Add it with addIndex.";
      assertThatThrownBy(() -> indexer.byIndex("name", "x")).hasMessage(message);
      assertThatThrownBy(() -> indexer.indexValues("name")).hasMessage(message);
      assertThatThrownBy(() -> indexer.list(Query.ALL.withIndex("name", "x"))).hasMessage(message);
      assertThatThrownBy(() -> indexer.addIndex(Indexer.BY_NAMESPACE, BY_NAME))
          .hasMessage("the index 'namespace' already exists");
      informer.addNamespace("a");
    }
  }

  /** It would have to answer two questions under one name. */
  @Test
  void refusesANamespaceInWhichOthersUseTheNameOfAnIndex() {
    InformerSpec<ConfigMap> ofB = SPEC.in(WatchScope.namespace("b"));
    try (var others = factory.acquire(ofB)) {
      others.informer().indexer().addIndex("name", object -> List.of("theirs"));
      var informer = of("a");
      informer.addEventHandler(event -> {});
      informer.indexer().addIndex("name", BY_NAME);
      assertThatThrownBy(() -> informer.addNamespace("b"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the index 'name' already exists");
      assertThat(informer.namespaces()).containsExactly("a");
    }
    assertThat(factory.informers()).as("of b, nobody holds one").hasSize(1);
  }

  // ---- hearing

  @Test
  void tellsOfNamespacesThatAreAdded() throws Exception {
    servers.put("a", "x");
    servers.put("b", "y");
    var informer = of("a");
    HeardEvents handler = new HeardEvents();
    HandlerRegistration registration = informer.addEventHandler(handler);
    assertThat(informer.hasSynced()).isFalse();
    assertThat(registration.hasSynced()).isFalse();
    factory.start();
    assertThat(handler.next()).isEqualTo("ADDED a/x");
    Eventually.until(registration::hasSynced);
    assertThat(informer.hasSynced()).isTrue();

    servers.in("b").hold();
    assertThat(informer.addNamespace("b")).isTrue();
    assertThat(informer.hasSynced()).isFalse();
    assertThat(registration.hasSynced()).isFalse();
    servers.put("a", "z");
    assertThat(handler.next()).as("the others go on").isEqualTo("ADDED a/z");
    servers.in("b").release();
    assertThat(handler.next()).isEqualTo("ADDED b/y");
    Eventually.until(registration::hasSynced);
    assertThat(informer.hasSynced()).isTrue();
    servers.put("b", "y");
    servers.delete("b", "y");
    assertThat(handler.next(2)).containsExactly("UPDATED b/y", "DELETED b/y");
  }

  /** They exist on, only nobody looks: a deletion would have handlers clean up after them. */
  @Test
  void forgetsTheObjectsOfANamespaceThatIsRemovedAndTellsOfNoDeletion() throws Exception {
    servers.put("a", "x");
    servers.put("b", "y");
    var informer = of("a", "b");
    HeardEvents handler = new HeardEvents();
    HandlerRegistration registration = informer.addEventHandler(handler);
    factory.start();
    assertThat(handler.next(2)).containsExactlyInAnyOrder("ADDED a/x", "ADDED b/y");
    Eventually.until(() -> registration.hasSynced() && registration.delivered() == 2);

    assertThat(informer.removeNamespace("b")).isTrue();
    assertThat(informer.removeNamespace("b")).isFalse();
    assertThat(informer.namespaces()).containsExactly("a");
    assertThat(keys(informer.indexer().list())).containsExactly("a/x");
    assertThat(informer.indexer().get(ObjectKey.of("b", "y"))).isEmpty();
    Eventually.until(() -> servers.in("b").openStreams() == 0);
    servers.delete("b", "y");
    servers.put("a", "z");
    assertThat(handler.next()).isEqualTo("ADDED a/z");
    assertThat(handler.heard).isEmpty();
    Eventually.until(() -> registration.delivered() == 3);
    assertThat(registration.hasSynced()).isTrue();

    servers.put("b", "new");
    assertThat(informer.addNamespace("b")).isTrue();
    assertThat(handler.next()).as("a new copy").isEqualTo("ADDED b/new");
    assertThat(informer.addNamespace("b")).isFalse();
  }

  @Test
  void leavesTheWatchToOthersWhoUseIt() throws Exception {
    servers.put("a", "x");
    HeardEvents mine = new HeardEvents();
    HeardEvents theirs = new HeardEvents();
    var informer = of("a");
    try (var others = factory.acquire(SPEC.in(WatchScope.namespace("a")))) {
      informer.addEventHandler(mine);
      others.informer().addEventHandler(theirs);
      factory.start();
      assertThat(mine.next()).isEqualTo("ADDED a/x");
      assertThat(theirs.next()).isEqualTo("ADDED a/x");
      Eventually.until(() -> servers.in("a").openStreams() == 1);
      informer.removeNamespace("a");
      servers.put("a", "y");
      assertThat(theirs.next()).isEqualTo("ADDED a/y");
      assertThat(mine.heard).isEmpty();
      assertThat(servers.in("a").openStreams()).isEqualTo(1);
    }
    Eventually.until(() -> servers.in("a").openStreams() == 0);
    assertThat(servers.connections).containsExactly("configmaps in namespace a");
  }

  /** What a handler keeps needs no lock, however many namespaces there are. */
  @Test
  void callsAHandlerByOneThreadAtATime() {
    int namespaces = 8;
    int objects = 50;
    int all = namespaces * objects;
    var informer = of();
    AtomicInteger inside = new AtomicInteger();
    List<String> collisions = Collections.synchronizedList(new ArrayList<>());
    List<ObjectKey> heard = new ArrayList<>(); // not made for threads
    HandlerRegistration registration =
        informer.addEventHandler(
            event -> {
              if (inside.incrementAndGet() > 1) {
                collisions.add(event.toString());
              }
              heard.add(event.key());
              for (int i = 0; i < 5_000; i++) {
                Thread.onSpinWait();
              }
              inside.decrementAndGet();
            });
    for (int n = 0; n < namespaces; n++) {
      for (int i = 0; i < objects; i++) {
        servers.put("n" + n, "o" + i);
      }
      informer.addNamespace("n" + n);
    }
    factory.start();
    Eventually.until(() -> registration.delivered() == all);
    assertThat(collisions).isEmpty();
    assertThat(heard).hasSize(all).doesNotHaveDuplicates();
    Eventually.until(registration::hasSynced);
  }

  /** And what waits for it meanwhile is told. */
  @Test
  void waitsForASlowHandlerWithoutHoldingUpAnythingElse() throws Exception {
    servers.put("a", "x");
    servers.put("b", "y");
    servers.put("b", "z");
    var informer = of("a");
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    HeardEvents quick = new HeardEvents();
    HeardEvents seen = new HeardEvents();
    informer.addEventHandler(quick);
    HandlerRegistration slow =
        informer.addEventHandler(
            event -> {
              entered.countDown();
              goOn.await();
              seen.handle(event);
            });
    factory.start();
    entered.await();
    assertThat(quick.next()).isEqualTo("ADDED a/x");
    informer.addNamespace("b");
    assertThat(quick.next(2)).containsExactly("ADDED b/y", "ADDED b/z");
    Eventually.until(
        () -> slow.backlog() == 2); // one of them waits for its turn, the other in the lane
    servers.time.advance(Duration.ofSeconds(5));
    assertThat(slow.lag()).isEqualTo(Duration.ofSeconds(5));
    assertThat(informer.hasSynced()).isTrue();
    assertThat(slow.hasSynced()).isFalse();
    assertThat(slow.delivered()).isZero();
    goOn.countDown();
    Eventually.until(slow::hasSynced);
    assertThat(seen.next(3)).containsExactly("ADDED a/x", "ADDED b/y", "ADDED b/z");
    assertThat(slow.delivered()).isEqualTo(3);
    assertThat(slow.backlog()).isZero();
    assertThat(slow.lag()).isZero();
  }

  @Test
  void calledNoMoreForANamespaceThatWasRemovedWhileItWaited() throws Exception {
    servers.put("a", "x");
    servers.put("b", "y");
    var informer = of("a");
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    HeardEvents seen = new HeardEvents();
    HandlerRegistration slow =
        informer.addEventHandler(
            event -> {
              seen.handle(event);
              entered.countDown();
              goOn.await();
            });
    factory.start();
    entered.await();
    informer.addNamespace("b");
    Eventually.until(() -> slow.backlog() == 1);
    assertThat(informer.removeNamespace("b")).isTrue();
    goOn.countDown();
    servers.put("a", "z");
    assertThat(seen.next(2)).containsExactly("ADDED a/x", "ADDED a/z");
    Eventually.until(() -> slow.delivered() == 2);
    assertThat(seen.heard).isEmpty();
  }

  @Test
  void letsAHandlerAddAndRemoveNamespaces() throws Exception {
    servers.put("a", "to-b");
    servers.put("b", "to-c");
    servers.put("c", "end");
    var informer = of("a");
    HeardEvents seen = new HeardEvents();
    CompletableFuture<HandlerRegistration> registration = new CompletableFuture<>();
    registration.complete(
        informer.addEventHandler(
            event -> {
              String name = event.key().name();
              if (name.startsWith("to-")) {
                informer.addNamespace(name.substring("to-".length()));
                informer.addEventHandler(e -> {}).remove();
                informer.removeNamespace(event.key().namespace());
              } else {
                registration.get().remove();
              }
              seen.handle(event);
            }));
    factory.start();
    assertThat(seen.next(3)).containsExactly("ADDED a/to-b", "ADDED b/to-c", "ADDED c/end");
    servers.put("c", "unheard");
    Eventually.until(() -> informer.indexer().size() == 2);
    assertThat(informer.namespaces()).containsExactly("c");
    Eventually.until(
        () -> registration.join().delivered() == 3); // counted when a call has returned
    assertThat(seen.heard).isEmpty();
  }

  @Test
  void findsInTheCopyWhatAHandlerHearsOf() {
    var informer = of();
    List<ObjectKey> missing = Collections.synchronizedList(new ArrayList<>());
    HandlerRegistration registration =
        informer.addEventHandler(
            event -> {
              if (informer.indexer().get(event.key()).isEmpty()) {
                missing.add(event.key());
              }
            });
    factory.start();
    for (int n = 0; n < 20; n++) {
      // Synced already, so that the replay comes the moment the handler is added.
      var others = factory.informer(SPEC.in(WatchScope.namespace("n" + n)));
      servers.put("n" + n, "x");
      factory.start();
      Eventually.until(others::hasSynced);
      informer.addNamespace("n" + n);
    }
    Eventually.until(() -> registration.delivered() == 20);
    assertThat(missing).isEmpty();
  }

  /** The others need not suffer with the one that the handler can't cope with. */
  @Test
  void restsInTheNamespaceOnlyInWhichTheHandlerFailed() throws Exception {
    servers.put("a", "bad");
    servers.put("b", "good");
    var informer = of("a", "b");
    HeardEvents seen = new HeardEvents();
    HandlerRegistration registration =
        informer.addEventHandler(
            event -> {
              seen.handle(event);
              if (event.key().name().equals("bad")) {
                throw new IllegalStateException("on purpose");
              }
            });
    factory.start();
    assertThat(seen.next(2)).containsExactlyInAnyOrder("ADDED a/bad", "ADDED b/good");
    Eventually.until(() -> registration.failures() == 1);
    servers.put("a", "after");
    servers.put("b", "more");
    assertThat(seen.next()).isEqualTo("ADDED b/more");
    Eventually.until(() -> registration.backlog() == 1);
    Eventually.advance(servers.time, () -> !seen.heard.isEmpty());
    assertThat(seen.next()).isEqualTo("ADDED a/after");
    Eventually.until(() -> registration.delivered() == 4);
    assertThat(registration.failures()).isEqualTo(1);
    informer.removeNamespace("a");
    assertThat(registration.failures()).as("what was, was").isEqualTo(1);
    assertThat(registration.delivered()).isEqualTo(4);
  }

  @Test
  void showsEverythingAgainWhenAPeriodIsOver() throws Exception {
    servers.put("a", "x");
    servers.put("b", "y");
    var informer = of("a");
    HeardEvents handler = new HeardEvents();
    HandlerRegistration registration = informer.addEventHandler(handler, Duration.ofSeconds(30));
    factory.start();
    informer.addNamespace("b");
    Eventually.until(registration::hasSynced);
    assertThat(handler.next(2)).containsExactlyInAnyOrder("ADDED a/x", "ADDED b/y");
    Eventually.advance(
        servers.time, () -> handler.heard.containsAll(List.of("UPDATED a/x", "UPDATED b/y")));
  }

  @Test
  void removesAHandlerFromAllNamespaces() throws Exception {
    var informer = of("a", "b");
    HeardEvents removed = new HeardEvents();
    HeardEvents kept = new HeardEvents();
    HandlerRegistration registration = informer.addEventHandler(removed);
    informer.addEventHandler(kept);
    factory.start();
    Eventually.until(registration::hasSynced);
    registration.remove();
    registration.remove();
    informer.addNamespace("c");
    for (String namespace : List.of("a", "b", "c")) {
      servers.put(namespace, "x");
    }
    assertThat(kept.next(3)).containsExactlyInAnyOrder("ADDED a/x", "ADDED b/x", "ADDED c/x");
    assertThat(removed.heard).isEmpty();
    assertThat(registration.hasSynced()).as("as it was").isTrue();
    assertThat(registration.backlog()).isZero();
    assertThat(informer.statuses()).allSatisfy(status -> assertThat(status.handlers()).hasSize(1));
  }

  @Test
  void namesItsHandlers() {
    var informer = of("a");
    assertThat(Stream.of(1, 2).map(i -> informer.addEventHandler(event -> {}).name()))
        .containsExactly("informers-configmaps-handler-1", "informers-configmaps-handler-2");
  }

  // ---- starting, failing, ending

  @Test
  void startsANamespaceAtOnceIfTheFactoryHasBeenStarted() {
    var informer = of("a");
    informer.addNamespace("b");
    var unrelated = factory.informer(SPEC);
    assertThat(servers.threads).noneMatch(Thread::isAlive);
    factory.start();
    Eventually.until(informer::hasSynced);
    Eventually.until(unrelated::hasSynced);
    var alsoUnrelated = factory.informer(SPEC.in(WatchScope.ALL.withLabels("a=b")));
    informer.addNamespace("c");
    var another = of("d");
    Eventually.until(informer::hasSynced);
    Eventually.until(another::hasSynced);
    assertThat(alsoUnrelated.loops()).as("is started by its owner").noneMatch(l -> l.isRunning());
  }

  @Test
  void saysWhichTroubleThereIs() {
    servers
        .in("b")
        .failNextList(FeedFailure.of(FeedFailure.Reason.FORBIDDEN, "not in this namespace"));
    var informer = of("a", "b");
    factory.start();
    Eventually.until(() -> informer.problem().isPresent());
    assertThat(informer.problem().orElseThrow().reason()).isEqualTo(FeedFailure.Reason.FORBIDDEN);
    assertThat(informer.hasSynced()).isFalse();
    Eventually.advance(servers.time, () -> informer.hasSynced() && informer.problem().isEmpty());
  }

  @Test
  void refusesWhatHasNoNamespacesOrOneAlready() {
    assertThatThrownBy(() -> factory.acquire(InformerSpec.of(Node.class), Set.of("a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nodes/v1 is cluster-scoped");
    InformerSpec<ConfigMap> confined = SPEC.in(WatchScope.namespace("shop"));
    assertThatThrownBy(() -> factory.acquire(confined, Set.of("a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("configmaps/v1")
        .hasMessageContaining("namespace shop");
    assertThatThrownBy(() -> of(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("all namespaces");
    assertThatThrownBy(() -> of("a", "Not A Name"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'Not A Name'");
    assertThat(factory.informers()).as("what was made before is given up").isEmpty();
  }

  @Test
  void givesUpEverythingWhenItIsClosed() {
    servers.put("a", "x");
    var informer = of("a", "b");
    HandlerRegistration registration = informer.addEventHandler(event -> {});
    factory.start();
    Eventually.until(registration::hasSynced);
    informer.close();
    informer.close();
    assertThat(factory.informers()).isEmpty();
    assertThat(informer.namespaces()).isEmpty();
    assertThat(informer.indexer().list()).isEmpty();
    Eventually.until(() -> servers.in("a").openStreams() + servers.in("b").openStreams() == 0);
    assertThatThrownBy(() -> informer.addNamespace("c"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("informers-configmaps in [] was closed");
    assertThatThrownBy(() -> informer.addEventHandler(event -> {}))
        .isInstanceOf(IllegalStateException.class);
    assertThat(informer.removeNamespace("a")).isFalse();
    assertThat(factory.informers()).isEmpty();
  }

  /** Else a handler would hear of some namespaces and never know. */
  @Test
  void addsAHandlerOrANamespaceWhollyOrNotAtAll() throws Exception {
    var informer = of("a");
    var stopped = factory.informer(SPEC.in(WatchScope.namespace("b")));
    assertThat(stopped.stop(LIMIT)).isTrue();
    informer.addEventHandler(event -> {});
    assertThatThrownBy(() -> informer.addNamespace("b"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has stopped already");
    assertThat(informer.namespaces()).containsExactly("a");

    var other = of("a", "b");
    assertThatThrownBy(() -> other.addEventHandler(event -> {}))
        .isInstanceOf(IllegalStateException.class);
    factory.start();
    Eventually.until(informer::hasSynced);
    assertThat(informer.statuses().get(0).handlers()).hasSize(1);
  }

  @Test
  void bearsEverythingAtOnce() throws Exception {
    var informer = of("keep");
    factory.start();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 6; t++) {
      int number = t;
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 60; i++) {
                  String namespace = "n" + (i + number) % 4;
                  servers.put(namespace, "o" + i);
                  informer.addNamespace(namespace);
                  String index = "index-" + number + "-" + i / 20;
                  if (i % 20 == 0) {
                    informer.indexer().addIndex(index, BY_NAME);
                  }
                  informer.indexer().byIndex(index, "o" + i);
                  HandlerRegistration registration =
                      informer.addEventHandler(
                          event -> informer.removeNamespace(event.key().namespace()));
                  informer.removeNamespace("n" + (i + number + 1) % 4);
                  registration.remove();
                }
              });
      thread.setUncaughtExceptionHandler((who, failure) -> failures.add(failure));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    for (int n = 0; n < 4; n++) {
      informer.addNamespace("n" + n);
    }
    Eventually.until(informer::hasSynced);
    assertThat(keys(informer.indexer().byIndex("index-5-2", "o7")))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of("n0/o7", "n1/o7", "n2/o7", "n3/o7")
                .filter(key -> informer.indexer().get(ObjectKey.of(key)).isPresent())
                .toList())
        .isNotEmpty();
    informer.close();
    assertThat(factory.informers()).isEmpty();
  }
}
