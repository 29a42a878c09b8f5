// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import static dev.windlass.testing.core.Failures.raise;
import static dev.windlass.testing.core.Samples.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.enqueue.RecordingSink.Added;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.Informer;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.object.ObjectCodec;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Foo;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import dev.windlass.workqueue.Priority;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On the threads of an informer, which it can't do without. */
@Timeout(30)
final class InformerSourceTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  @AutoClose private final Logs logs = Logs.of(Source.class);
  private final ManualScheduler time = new ManualScheduler();
  private final FakeListerWatcher server = new FakeListerWatcher();
  private final SharedIndexInformer<Foo> informer =
      new SharedIndexInformer<>(
          ObjectCodec.of(Foo.class), server, InformerOptions.defaults().withScheduler(time));
  private final RecordingSink sink = new RecordingSink();

  @AfterEach
  void stops() throws InterruptedException {
    assertThat(informer.stop(Duration.ofSeconds(20))).isTrue();
    server.assertNothingOpen();
  }

  private Source.Running start(EventPredicate<? super Foo> predicate, Duration resync) {
    return Source.informer(informer, predicate, EventHandler.self(), resync, informer::start)
        .start(sink);
  }

  private void expect(Added... expected) {
    Eventually.that(() -> assertThat(sink.added).containsExactly(expected));
  }

  private static Added added(String name, Priority priority) {
    return new Added(Request.of("default", name), priority);
  }

  /** Changes are processed before objects that merely exist. */
  @Test
  void givesTheFirstListTheLowPriorityAndChangesTheNormalOne() {
    server.put(json("Foo", "there"));
    Source.Running running = start(EventPredicate.always(), Duration.ZERO);
    Eventually.that(() -> assertThat(running.hasSynced()).isTrue());
    expect(added("there", Priority.LOW));
    server.put(json("Foo", "new"));
    expect(added("there", Priority.LOW), added("new", Priority.NEW));
    server.put(json("Foo", "there"));
    server.delete(Request.of("default", "new").key());
    expect(
        added("there", Priority.LOW),
        added("new", Priority.NEW),
        added("there", Priority.NORMAL),
        added("new", Priority.NORMAL));
  }

  /** A resync shows everything again, to those who want it. */
  @Test
  void givesAResyncTheLowPriority() {
    server.put(json("Foo", "there"));
    Source.Running running = start(EventPredicate.always(), MINUTE);
    Source.Running indifferent = start(EventPredicate.resourceVersionChanged(), MINUTE);
    Eventually.that(() -> assertThat(running.hasSynced() && indifferent.hasSynced()).isTrue());
    sink.added.clear();
    time.advance(MINUTE);
    expect(added("there", Priority.LOW));
  }

  /** "Synced" means processed by the handler, not only cached. */
  @Test
  void hasSyncedOnceTheFirstListIsHandled() {
    CountDownLatch release = new CountDownLatch(1);
    server.put(json("Foo", "there"));
    Source.Running running =
        start(
            event -> {
              Eventually.await(release);
              return true;
            },
            Duration.ZERO);
    Eventually.that(() -> assertThat(informer.hasSynced()).isTrue());
    assertThat(running.hasSynced()).isFalse();
    assertThat(sink.added).isEmpty();
    release.countDown();
    Eventually.that(() -> assertThat(running.hasSynced()).isTrue());
    assertThat(sink.added).containsExactly(added("there", Priority.LOW));
  }

  /** What the predicate refuses leads to nothing. */
  @Test
  void dropsWhatThePredicateRefuses() {
    server.put(json("Foo", "refused"));
    server.put(json("Foo", "taken"));
    Source.Running running = start(event -> event.key().name().equals("taken"), Duration.ZERO);
    Eventually.that(() -> assertThat(running.hasSynced()).isTrue());
    expect(added("taken", Priority.LOW));
  }

  /** If a predicate fails, an unnecessary reconcile is better than a lost change. */
  @Test
  void letsThroughWhatThePredicateFailsOn() {
    server.put(json("Foo", "bad"));
    Source.Running running =
        start(event -> raise(new AssertionError("can't decide")), Duration.ZERO);
    Eventually.that(() -> assertThat(running.hasSynced()).isTrue());
    expect(added("bad", Priority.LOW));
    assertThat(logs.messages()).singleElement().asString().contains("Foo default/bad");
  }

  /** Virtual time does not advance here, so the next event does not wait a second. */
  @Test
  void goesOnAtOnceAfterAHandlerThatFails() {
    server.put(json("Foo", "bad"));
    server.put(json("Foo", "good"));
    EventHandler<Foo> picky =
        (event, requests) -> {
          if (event.key().name().equals("bad")) {
            throw new IllegalStateException("can't handle it");
          }
          requests.add(new Request(event.key()));
        };
    Source.Running running =
        Source.informer(informer, EventPredicate.always(), picky, Duration.ZERO, informer::start)
            .start(sink);
    Eventually.that(() -> assertThat(running.hasSynced()).isTrue());
    expect(added("good", Priority.LOW));
    assertThat(logs.messages()).singleElement().asString().contains("Foo default/bad");
  }

  /** The cause is reported in terms of RBAC until the source has synced. */
  @Test
  void namesTheTypeThatItCantRead() {
    server.failNextList(FeedFailure.ofStatus(403, "foos is forbidden", Duration.ZERO));
    Source.Running running = start(EventPredicate.always(), Duration.ZERO);
    Eventually.that(() -> assertThat(running.problem()).isPresent());
    assertThat(running.problem().orElseThrow())
        .startsWith("foos.samplecontroller.k8s.io: ")
        .contains("list and watch")
        .contains("403", "foos is forbidden");
    assertThat(running.hasSynced()).isFalse();
    Eventually.that(
        time,
        Duration.ofSeconds(2), // the greatest first back-off of the reflector is 1.6 s
        () -> {
          assertThat(running.hasSynced()).isTrue();
          assertThat(running.problem()).isEmpty();
        });
  }

  /** The types of two clusters have the same names. */
  @Test
  void namesTheClusterThatItCantRead() {
    server.failNextList(FeedFailure.ofStatus(403, "foos is forbidden", Duration.ZERO));
    Source.Running running =
        new InformerSource<>(
                "foos",
                "east",
                () -> new InformerSource.Opened<>(informer, informer::start, () -> {}),
                EventPredicate.always(),
                EventHandler.self(),
                Duration.ZERO)
            .start(sink);
    Eventually.that(() -> assertThat(running.problem()).isPresent());
    assertThat(running.problem().orElseThrow())
        .startsWith("foos.samplecontroller.k8s.io in the cluster east: ");
  }

  /** A start that fails leaves no handler behind that nobody could take away. */
  @Test
  void leavesNothingBehindWhenTheInformerCantStart() {
    Source failing =
        Source.informer(
            informer,
            EventPredicate.always(),
            EventHandler.self(),
            Duration.ZERO,
            () -> raise(new IllegalStateException("no threads left")));
    assertThatThrownBy(() -> failing.start(sink)).hasMessage("no threads left");
    RecordingSink other = new RecordingSink();
    server.put(json("Foo", "late"));
    Source.informer(
            informer, EventPredicate.always(), EventHandler.self(), Duration.ZERO, informer::start)
        .start(other);
    Eventually.that(() -> assertThat(other.keys()).containsExactly("default/late"));
    assertThat(sink.added).isEmpty();
  }

  private final Map<String, FakeListerWatcher> servers = new ConcurrentHashMap<>();

  private final SharedInformerFactory factory =
      new SharedInformerFactory(
          (type, scope) -> servers.computeIfAbsent(scope.namespace(), n -> new FakeListerWatcher()),
          WatchScope.ALL,
          InformerOptions.defaults().withScheduler(time));

  private FakeListerWatcher server(String namespace) {
    return servers.computeIfAbsent(namespace, n -> new FakeListerWatcher());
  }

  @AfterEach
  void ends() throws InterruptedException {
    assertThat(factory.shutDown(Duration.ofSeconds(20))).isTrue();
    servers.values().forEach(FakeListerWatcher::assertNothingOpen);
  }

  private InformerSource<Foo> leased(EventHandler<Foo> handler) {
    return Source.informer(
        factory, InformerSpec.of(Foo.class), EventPredicate.always(), handler, Duration.ZERO);
  }

  /** Un-watch: a type that nobody uses any more is watched no more; the last one ends it. */
  @Test
  void endsTheWatchWithTheLastSourceThatUsesIt() {
    server("").put(json("Foo", "a"));
    InformerSource<Foo> source = leased(EventHandler.self());
    assertThat(factory.informers()).as("before a start").isEmpty();
    Source.Running first = source.start(sink);
    Source.Running second = leased(EventHandler.self()).start(new RecordingSink());
    Eventually.that(() -> assertThat(first.hasSynced() && second.hasSynced()).isTrue());
    assertThat(factory.informers()).hasSize(1);
    assertThat(source.indexer().size()).isEqualTo(1);
    first.stop();
    first.stop();
    assertThat(factory.informers()).hasSize(1);
    assertThat(factory.statuses().get(0).handlers()).hasSize(1);
    assertThat(source.indexer().size()).isZero();
    second.stop();
    assertThat(factory.informers()).isEmpty();
    Eventually.that(() -> assertThat(server("").openStreams()).isZero());
  }

  /** One may be late to stop: what the next one copies is not lost by that. */
  @Test
  void keepsTheCopyOfTheLatestRun() {
    InformerSource<Foo> source =
        Source.informer(
            informer, EventPredicate.always(), EventHandler.self(), Duration.ZERO, informer::start);
    server.put(json("Foo", "a"));
    Source.Running first = source.start(sink);
    Source.Running second = source.start(sink);
    Eventually.that(() -> assertThat(second.hasSynced()).isTrue());
    first.stop();
    first.stop();
    assertThat(source.indexer().size()).isEqualTo(1);
    second.stop();
    assertThat(source.indexer().size()).as("nobody runs").isZero();
  }

  /** What fails on the way must not keep the informer for ever. */
  @Test
  @SuppressWarnings("unchecked")
  void givesItsInformerBackThoughItsHandlerCantBeRemoved() {
    HandlerRegistration stuck = fake(HandlerRegistration.class, "remove");
    Informer<Foo> bad =
        (Informer<Foo>)
            Proxy.newProxyInstance(
                Informer.class.getClassLoader(),
                new Class<?>[] {Informer.class},
                (proxy, method, arguments) ->
                    method.getName().equals("addEventHandler") ? stuck : informer.indexer());
    List<String> closed = new ArrayList<>();
    InformerSource<Foo> source =
        new InformerSource<>(
            "foos",
            "",
            () -> new InformerSource.Opened<>(bad, () -> {}, () -> closed.add("closed")),
            EventPredicate.always(),
            EventHandler.self(),
            Duration.ZERO);
    Source.Running running = source.start(sink);
    assertThatThrownBy(running::stop).hasMessage("can't remove");
    running.stop();
    assertThat(closed).containsExactly("closed");
    assertThat(source.indexer()).isNotSameAs(bad.indexer());
  }

  private static <F> F fake(Class<F> type, String failing) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> raise(new IllegalStateException("can't " + failing))));
  }

  /** What it knew of a term that is over may have been done by another replica since. */
  @Test
  void beginsEachTermWithAHandlerThatRemembersNothing() {
    Map<String, String> links = new ConcurrentHashMap<>(Map.of("a", "x", "b", "y"));
    InformerSource<Foo> source =
        leased(
            EventHandler.mappingMetadata(
                foo -> List.of(Request.of(links.getOrDefault(foo.key().name(), "none")))));
    server("").put(json("Foo", "a"));
    server("").put(json("Foo", "b"));
    Source.Running first = source.start(sink);
    Eventually.that(() -> assertThat(sink.keys()).containsExactlyInAnyOrder("x", "y"));
    first.stop();
    sink.added.clear();
    server("").delete(Request.of("default", "a").key());
    links.put("b", "z");
    source.start(sink);
    Eventually.that(() -> assertThat(sink.keys()).containsExactly("z"));
    assertThat(sink.added).allMatch(added -> added.priority().equals(Priority.LOW));
  }

  /** A start that fails leaves no watch behind, and may be tried again. */
  @Test
  void givesItsLeaseBackWhenItCantStart() throws InterruptedException {
    List<String> failures = new ArrayList<>(List.of("no threads left"));
    server("").put(json("Foo", "a"));
    SharedInformerFactory poor =
        new SharedInformerFactory(
            (type, scope) -> server(""),
            WatchScope.ALL,
            InformerOptions.defaults()
                .withScheduler(time)
                .withThreads(
                    task -> {
                      if (!failures.isEmpty()) {
                        throw new IllegalStateException(failures.remove(0));
                      }
                      return new Thread(task);
                    }));
    Source source =
        Source.informer(
            poor,
            InformerSpec.of(Foo.class),
            EventPredicate.always(),
            EventHandler.self(),
            Duration.ZERO);
    assertThatThrownBy(() -> source.start(sink)).hasMessage("no threads left");
    assertThat(poor.informers()).isEmpty();
    Source.Running running = source.start(sink);
    expect(added("a", Priority.LOW));
    running.stop();
    assertThat(poor.informers()).isEmpty();
    assertThat(poor.shutDown(Duration.ofSeconds(20))).isTrue();
  }
}
