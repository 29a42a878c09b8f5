// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.Predicate;
import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.ReconcileAll;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.core.Eventually;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Logs;
import dev.windlass.testing.core.Samples;
import dev.windlass.testing.feed.FakeListerWatcher;
import dev.windlass.testing.time.ManualScheduler;
import dev.windlass.workqueue.RateLimiter;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.CustomResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
final class ControllerBuilderTest {

  private static final Reconciler NOTHING = (request, context) -> Result.done();

  private final ManualScheduler time = new ManualScheduler();
  private final Map<String, FakeListerWatcher> servers = new ConcurrentHashMap<>();
  private final List<String> scopes = new CopyOnWriteArrayList<>();
  private final List<String> namespaces = new CopyOnWriteArrayList<>();
  private final BlockingQueue<String> reconciled = new LinkedBlockingQueue<>();
  private final Manager manager = settings().build();

  private ManagerBuilder settings() {
    return Manager.builder()
        .config(Config.empty())
        .informerOptions(InformerOptions.defaults().withScheduler(time))
        .connector(client -> this::connect);
  }

  @AfterEach
  void stops() {
    assertThat(manager.stop()).isTrue();
    servers.values().forEach(FakeListerWatcher::assertNothingOpen);
  }

  private FakeListerWatcher connect(ResourceType type, WatchScope scope) {
    scopes.add(type.plural() + " " + scope.labelSelector());
    namespaces.add(type.plural() + " in " + scope.namespace());
    return server(type.kind());
  }

  private FakeListerWatcher server(String kind) {
    return servers.computeIfAbsent(kind, k -> new FakeListerWatcher());
  }

  private Result see(Request request, Object context) {
    reconciled.add(request.toString());
    return Result.done();
  }

  private void start(ControllerBuilder<Foo> builder) {
    Controller controller = builder.reconciler(this::see).register(manager);
    startUntilReady(controller);
  }

  private void startUntilReady(Controller controller) {
    manager.start();
    Eventually.that(
        () -> assertThat(manager.informers().informers()).allMatch(SharedIndexInformer::hasSynced));
    Eventually.that(time, Controller.SYNC_POLL, () -> assertThat(controller.isReady()).isTrue());
  }

  private List<String> next(int number) throws InterruptedException {
    List<String> requests = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      requests.add(String.valueOf(reconciled.poll(20, TimeUnit.SECONDS)));
    }
    return requests;
  }

  private static String owned(String name, String owner) {
    return """
        {"kind":"ConfigMap","metadata":{"namespace":"default","name":"%s","ownerReferences":[
        {"apiVersion":"samplecontroller.k8s.io/v1alpha1","kind":"Foo","name":"%s","uid":"uid-1",\
        "controller":true}]}}"""
        .formatted(name, owner);
  }

  private record Case(String misuse, ControllerBuilder<Foo> builder, String sentence) {
    @Override
    public String toString() {
      return misuse;
    }
  }

  /** 000-23: what is wrong, with which controller, and what to do. */
  static Stream<Case> misuses() {
    return Stream.of(
        new Case(
            "no reconciler",
            ControllerBuilder.forType(Foo.class),
            "the controller of Foo has no reconciler: call reconciler(...)"),
        new Case(
            "no worker",
            ControllerBuilder.forType(Foo.class).reconciler(NOTHING).maxConcurrentReconciles(0),
            "the controller of Foo needs at least one worker, not 0"),
        new Case(
            "a blank name",
            ControllerBuilder.forType(Foo.class).reconciler(NOTHING).named(" "),
            "the controller of Foo has a blank name: call named(...) with the name for logs,"
                + " metrics and threads"),
        new Case(
            "a negative resync",
            ControllerBuilder.forType(Foo.class).reconciler(NOTHING).resync(Duration.ofHours(-1)),
            "the controller of Foo can't resync every PT-1H: use Duration.ZERO for never"),
        new Case(
            "a generation filter over owned types",
            ControllerBuilder.forType(Foo.class)
                .withEventFilter(Predicate.generationChanged())
                .owns(ConfigMap.class)
                .reconciler(NOTHING),
            "the controller of Foo filters the events of every type by"
                + " Predicate.generationChanged(), which would hide the status of what it owns:"
                + " give it to forType(type, predicate) instead"),
        new Case(
            "the primary type among the owned ones",
            ControllerBuilder.forType(Foo.class).owns(Foo.class).reconciler(NOTHING),
            "the controller of Foo owns foos.samplecontroller.k8s.io, which is its primary type:"
                + " call watches(...) with a handler that says which of them to reconcile"),
        new Case(
            "a cluster-scoped type owned by a namespaced one",
            ControllerBuilder.forType(Foo.class).ownsEvery(ClusterRole.class).reconciler(NOTHING),
            "the controller of Foo owns clusterroles.rbac.authorization.k8s.io, which is"
                + " cluster-scoped and can't have an owner in a namespace: call watches(...) with"
                + " EventHandler.mapping(...) instead"),
        new Case(
            "a type in two ways",
            ControllerBuilder.forType(Foo.class)
                .owns(InformerSpec.of(ConfigMap.class).with(Projection.METADATA))
                .watches(ConfigMap.class, EventHandler.self())
                .reconciler(NOTHING),
            "the controller of Foo watches configmaps twice, as ("
                + InformerSpec.of(ConfigMap.class).with(Projection.METADATA)
                + ") and as ("
                + InformerSpec.of(ConfigMap.class)
                + "), which would be two caches: give the same InformerSpec to both"),
        new Case(
            "a source twice",
            ControllerBuilder.forType(Foo.class)
                .watches(SOURCE)
                .watches(SOURCE)
                .reconciler(NOTHING),
            "the controller of Foo watches the one source twice: a source is started once, so give"
                + " it once"),
        new Case(
            "a namespace without a name",
            ControllerBuilder.forType(Foo.class).inNamespaces("a", "").reconciler(NOTHING),
            "the controller of Foo is restricted to the namespace '': leave inNamespaces(...) out to"
                + " watch all of them"),
        new Case(
            "what is no namespace",
            ControllerBuilder.forType(Foo.class).inNamespaces("No_Name").reconciler(NOTHING),
            "the controller of Foo can't be restricted by inNamespaces(...): not the name of a"
                + " namespace: 'No_Name'; it must consist of at most 63 lower case letters, digits"
                + " and dashes"),
        new Case(
            "namespaces that restrict nothing",
            ControllerBuilder.forType(
                    InformerSpec.of(Foo.class).in(WatchScope.namespace("elsewhere")))
                .inNamespaces("a")
                .reconciler(NOTHING),
            "the controller of Foo is restricted to the namespaces [a], but watches nothing that"
                + " lives in them: leave inNamespaces(...) out"),
        new Case(
            "a class that is no type",
            ControllerBuilder.forType(Foo.class).owns(NoType.class).reconciler(NOTHING),
            "the controller of Foo can't use what owns(...) was given: "
                + NoType.class.getName()
                + " does not say which API resource it is: annotate it with @Group and @Version,"
                + " and implement Namespaced if its objects live in namespaces"));
  }

  /** A class without the annotations that name its type. */
  private static final class NoType extends CustomResource<Void, Void> {
    private static final long serialVersionUID = 1L;
  }

  private static final Source SOURCE =
      new Source() {
        @Override
        public Running start(PrioritySink sink) {
          throw new AssertionError("nobody starts it");
        }

        @Override
        public String toString() {
          return "the one source";
        }
      };

  /** What is null, by the call that was given it. */
  @SuppressWarnings({"NullAway", "unchecked"})
  static Stream<Case> nulls() {
    Class<Foo> noClass = null;
    Class<ConfigMap> noOwned = null;
    InformerSpec<Foo> noSpec = null;
    InformerSpec<ConfigMap> noOwnedSpec = null;
    EventHandler<ConfigMap> noHandler = null;
    EventChannel<Foo> noChannel = null;
    Predicate<Foo> noPredicate = null;
    Source noSource = null;
    ReconcileAll noAll = null;
    InformerSpec<ConfigMap> maps = InformerSpec.of(ConfigMap.class);
    return Stream.of(
        nullCase("nothing", "forType", ControllerBuilder.forType(noClass)),
        nullCase("nothing", "forType", ControllerBuilder.forType(noSpec)),
        nullCase("Foo", "forType", ControllerBuilder.forType(Foo.class, noPredicate)),
        nullCase(
            "Foo",
            "forType",
            ControllerBuilder.forType(Foo.class, (Predicate<? super Foo>[]) null)),
        nullCase("Foo", "owns", ofFoo().owns(noOwned)),
        nullCase("Foo", "owns", ofFoo().owns(noOwnedSpec)),
        nullCase("Foo", "ownsEvery", ofFoo().ownsEvery(noOwned)),
        nullCase("Foo", "ownsEvery", ofFoo().ownsEvery(noOwnedSpec)),
        nullCase("Foo", "watches", ofFoo().watches(noOwned, EventHandler.self())),
        nullCase("Foo", "watches", ofFoo().watches(noOwnedSpec, EventHandler.self())),
        nullCase("Foo", "watches", ofFoo().watches(ConfigMap.class, noHandler)),
        nullCase("Foo", "watches", ofFoo().watches(maps, noHandler)),
        nullCase("Foo", "watches", ofFoo().watches(noChannel, EventHandler.self())),
        nullCase("Foo", "watches", ofFoo().watches(noSource)),
        nullCase("Foo", "watches", ofFoo().watches(noAll)),
        nullCase("Foo", "withEventFilter", ofFoo().withEventFilter(null)),
        nullCase("Foo", "inNamespaces", ofFoo().inNamespaces("a", null)),
        nullCase("Foo", "named", ofFoo().named(null)),
        nullCase("Foo", "resync", ofFoo().resync(null)),
        nullCase("Foo", "rateLimiter", ofFoo().rateLimiter(null)),
        nullCase("Foo", "listener", ofFoo().listener(null)));
  }

  private static ControllerBuilder<Foo> ofFoo() {
    return ControllerBuilder.forType(Foo.class);
  }

  private static Case nullCase(String kind, String call, ControllerBuilder<Foo> builder) {
    return new Case(
        call + " of " + kind,
        builder.reconciler(NOTHING),
        "the controller of %s was given null by %s(...): give it a value, or leave the call out"
            .formatted(kind, call));
  }

  @ParameterizedTest
  @MethodSource("nulls")
  void refusesNullWithASentence(Case c) {
    refusesMisuseWithASentence(c);
  }

  /** Names are unique in a manager, in another one they are free, and so they are afterwards. */
  @Test
  void refusesANameThatIsTaken() throws Exception {
    Controller first = ofFoo().reconciler(NOTHING).register(manager);
    assertThatThrownBy(() -> ofFoo().reconciler(NOTHING).register(manager))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the controller foo is there already: choose another name, or remove that component"
                + " first");
    ofFoo().named("other").reconciler(NOTHING).register(manager);
    assertThat(manager.remove(first)).isTrue();
    ofFoo().reconciler(NOTHING).register(manager);
    try (Manager another = Manager.builder().config(Config.empty()).build()) {
      ofFoo().reconciler(NOTHING).register(another);
    }
  }

  /** Un-watch: a controller that is removed leaves no watch behind; the others go on. */
  @Test
  void endsItsWatchesWhenItIsRemoved() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    Controller with = ofFoo().owns(ConfigMap.class).reconciler(this::see).register(manager);
    startUntilReady(with);
    assertThat(next(1)).containsExactly("default/a");
    ofFoo().named("other").reconciler(this::see).register(manager);
    Eventually.that(
        time, Controller.SYNC_POLL, () -> assertThat(reconciled).containsExactly("default/a"));
    assertThat(manager.remove(with)).isTrue();
    assertThat(manager.informers().informers())
        .extracting(informer -> informer.type().kind())
        .containsExactly("Foo");
    reconciled.clear();
    server("Foo").put(Samples.json("Foo", "b"));
    assertThat(next(1)).containsExactly("default/b");
  }

  /** Metadata alone, some objects alone, no class: what is watched is the spec's affair. */
  @Test
  void watchesWhatSpecsSay() throws Exception {
    ResourceType bars = new ResourceType("example.com", "v1", "bars", "Bar", true);
    server("Foo").put(Samples.json("Foo", "a"));
    InformerSpec<ConfigMap> metadata =
        InformerSpec.of(ConfigMap.class)
            .with(Projection.METADATA)
            .in(WatchScope.ALL.withLabels("app=web"));
    start(
        ControllerBuilder.forType(InformerSpec.of(Foo.class).with(Projection.METADATA))
            .owns(metadata)
            .watches(InformerSpec.of(bars), EventHandler.self()));
    assertThat(next(1)).containsExactly("default/a");
    server("ConfigMap").put(owned("of-a", "a"));
    assertThat(next(1)).containsExactly("default/a");
    server("Bar").put(Samples.json("Bar", "b"));
    assertThat(next(1)).containsExactly("default/b");
    assertThat(scopes).contains("configmaps app=web", "foos ", "bars ");
  }

  /** A type without a class as the primary one. */
  @Test
  void reconcilesATypeWithoutAClass() throws Exception {
    ResourceType bars = new ResourceType("example.com", "v1", "bars", "Bar", true);
    server("Bar").put(Samples.json("Bar", "b"));
    Controller controller =
        ControllerBuilder.forType(InformerSpec.of(bars)).reconciler(this::see).register(manager);
    assertThat(controller.name()).isEqualTo("bar");
    startUntilReady(controller);
    assertThat(next(1)).containsExactly("default/b");
  }

  /** Each namespace has a watch, owners are found in all of them, and the rest is as it was. */
  @Test
  void watchesSeveralNamespaces() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    start(
        ofFoo()
            .owns(ConfigMap.class)
            .watches(ClusterRole.class, EventHandler.self())
            .inNamespaces("default"));
    assertThat(next(1)).containsExactly("default/a");
    server("ConfigMap").put(owned("of-a", "a"));
    assertThat(next(1)).containsExactly("default/a");
    assertThat(manager.informers().informers())
        .extracting(informer -> informer.type().plural())
        .containsExactlyInAnyOrder("foos", "configmaps", "clusterroles");
    assertThat(namespaces)
        .containsExactlyInAnyOrder("foos in default", "configmaps in default", "clusterroles in ");
  }

  /** A spec that names no namespace is watched where the manager is, with its selectors. */
  @Test
  void watchesWhereTheManagerIs() {
    try (Manager restricted = settings().namespace("team").build()) {
      ofFoo()
          .owns(InformerSpec.of(ConfigMap.class).in(WatchScope.ALL.withLabels("app=web")))
          .watches(
              InformerSpec.of(Secret.class).in(WatchScope.namespace("other")), EventHandler.self())
          .reconciler(NOTHING)
          .register(restricted);
      restricted.start();
      Eventually.that(
          () ->
              assertThat(namespaces)
                  .containsExactlyInAnyOrder(
                      "foos in team", "configmaps in team", "secrets in other"));
      assertThat(scopes).contains("configmaps app=web");
    }
  }

  /** 000-19, 000-34: owners that do not control, on request. */
  @Test
  void reconcilesEveryOwnerOnRequest() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    start(ofFoo().owns(Secret.class).ownsEvery(ConfigMap.class));
    assertThat(next(1)).containsExactly("default/a");
    server("Secret").put(owned("no", "a").replace("true", "false").replace("ConfigMap", "Secret"));
    server("ConfigMap").put(owned("yes", "a").replace("true", "false"));
    assertThat(next(1)).containsExactly("default/a");
    assertThat(reconciled).isEmpty();
  }

  /** 000-07, 000-22, 000-27: filters of all types hold for what is sent, too. */
  @Test
  void reconcilesWhatIsSentThroughFilters() throws Exception {
    EventChannel<Foo> channel = Source.channel(Foo.class, manager.informerOptions());
    start(
        ofFoo()
            .withEventFilter(event -> !event.key().name().equals("filtered"))
            .watches(channel, EventHandler.self(), event -> !event.key().name().equals("refused")));
    channel.send(Samples.foo("filtered"));
    channel.send(Samples.foo("refused"));
    channel.send(Samples.foo("sent"));
    assertThat(next(1)).containsExactly("default/sent");
    assertThat(reconciled).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("misuses")
  void refusesMisuseWithASentence(Case c) {
    assertThatThrownBy(() -> c.builder().register(manager))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(c.sentence());
    assertThat(manager.informers().informers()).as("nothing is left behind").isEmpty();
  }

  /**
   * The filter is about the primary alone: no informer shows other types, and sources have none.
   */
  @Test
  void takesAGenerationFilterWhereThereAreNoOtherTypes() {
    ControllerBuilder.forType(Foo.class)
        .withEventFilter(Predicate.generationChanged())
        .watches(new FakeSource())
        .reconciler(NOTHING)
        .register(manager);
    ControllerBuilder.forType(Foo.class, Predicate.generationChanged())
        .owns(ConfigMap.class)
        .named("other")
        .reconciler(NOTHING)
        .register(manager);
  }

  @Test
  void namesTheControllerAfterTheKindUnlessToldOtherwise() {
    assertThat(ControllerBuilder.forType(Foo.class).reconciler(NOTHING).register(manager).name())
        .isEqualTo("foo");
    assertThat(
            ControllerBuilder.forType(Foo.class)
                .named("other")
                .reconciler(NOTHING)
                .register(manager)
                .name())
        .isEqualTo("other");
  }

  /** 000-12, 003-08: no setting is needed but the type and the reconciler. */
  @Test
  void needsNothingButTheTypeAndTheReconciler() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    start(ControllerBuilder.forType(Foo.class));
    assertThat(next(1)).containsExactly("default/a");
    server("Foo").put(Samples.json("Foo", "b"));
    assertThat(next(1)).containsExactly("default/b");
  }

  /** 001-29, 001-35: one informer per type, whoever asks. */
  @Test
  void sharesOneInformerPerType() {
    start(
        ControllerBuilder.forType(Foo.class)
            .owns(ConfigMap.class)
            .watches(ConfigMap.class, EventHandler.self()));
    assertThat(manager.informers().informers()).hasSize(2);
    assertThat(server("ConfigMap").lists()).hasSize(1);
  }

  /** 000-14..18: the owner, not the object. */
  @Test
  void reconcilesTheOwnerOfWhatItOwns() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    start(ControllerBuilder.forType(Foo.class).owns(ConfigMap.class));
    assertThat(next(1)).containsExactly("default/a");
    server("ConfigMap").put(Samples.json("ConfigMap", "of-nobody"));
    server("ConfigMap").put(owned("of-a", "a"));
    assertThat(next(1)).containsExactly("default/a");
    assertThat(reconciled).isEmpty();
  }

  /** 000-20, 000-21, 000-38. */
  @Test
  void reconcilesWhatOtherTypesAndSourcesSay() throws Exception {
    FakeSource source = new FakeSource();
    start(
        ControllerBuilder.forType(Foo.class)
            .watches(
                Secret.class,
                EventHandler.mapping(
                    secret -> List.of(Request.of("mapped", secret.getMetadata().getName()))))
            .watches(source));
    server("Secret").put(Samples.json("Secret", "s"));
    assertThat(next(1)).containsExactly("mapped/s");
    source.add("from-outside");
    assertThat(next(1)).containsExactly("default/from-outside");
  }

  /** 000-22, 000-33..37: filters of all types and of one type must all agree. */
  @Test
  void addsFiltersUp() throws Exception {
    FakeSource source = new FakeSource();
    start(
        ControllerBuilder.forType(Foo.class, event -> !event.key().name().startsWith("not-foo"))
            .withEventFilter(event -> !event.key().name().endsWith("-1"))
            .watches(
                ConfigMap.class,
                EventHandler.self(),
                event -> !event.key().name().startsWith("not-map"))
            .withEventFilter(event -> !event.key().name().endsWith("-2"))
            .watches(source));
    for (String kind : List.of("Foo", "ConfigMap")) {
      for (String name : List.of("x-1", "x-2", "not-foo", "not-map")) {
        server(kind).put(Samples.json(kind, name));
      }
    }
    assertThat(next(2)).containsExactlyInAnyOrder("default/not-foo", "default/not-map");
    source.add("of-a-source-1");
    assertThat(next(1))
        .as("sources have no events to filter")
        .containsExactly("default/of-a-source-1");
    assertThat(reconciled).isEmpty();
  }

  /** 000-08: every 10 h, a tenth more or less. */
  @Test
  void reconcilesEverythingEveryTenHours() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    start(ControllerBuilder.forType(Foo.class));
    assertThat(next(1)).containsExactly("default/a");
    assertThat(time.pending())
        .as("alarms longer than those of watches and of the watchdog")
        .filteredOn(wait -> wait.compareTo(Duration.ofMinutes(10)) > 0)
        .hasSize(1);
    time.advance(Duration.ofHours(9).minusMinutes(1));
    assertThat(reconciled).isEmpty();
    time.advance(Duration.ofHours(2).plusMinutes(2));
    assertThat(next(1)).containsExactly("default/a");
  }

  @Test
  void reconcilesEverythingAsOftenAsAskedFor() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    start(ControllerBuilder.forType(Foo.class).resync(Duration.ofSeconds(30)));
    assertThat(next(1)).containsExactly("default/a");
    time.advance(Duration.ofSeconds(30));
    assertThat(next(1)).containsExactly("default/a");
  }

  @Test
  void neverReconcilesWithoutAReasonIfSoAsked() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    start(ControllerBuilder.forType(Foo.class).resync(Duration.ZERO));
    assertThat(next(1)).containsExactly("default/a");
    assertThat(time.pending())
        .as("alarms longer than those of watches and of the watchdog")
        .noneMatch(wait -> wait.compareTo(Duration.ofMinutes(10)) > 0);
  }

  /** The listener and the rate limiter reach the workers. */
  @Test
  void handsItsSettingsOn() throws Exception {
    BlockingQueue<ControllerListener.Outcome> outcomes = new LinkedBlockingQueue<>();
    server("Foo").put(Samples.json("Foo", "a"));
    Controller controller =
        ControllerBuilder.forType(Foo.class)
            .rateLimiter(RateLimiter.exponential(Duration.ofHours(1), Duration.ofHours(1)))
            .listener((request, outcome, took) -> outcomes.add(outcome))
            .reconciler(
                (request, context) ->
                    context.attempt() == 0 ? Result.requeueWithBackoff() : Result.done())
            .register(manager);
    startUntilReady(controller);
    assertThat(outcomes.poll(20, TimeUnit.SECONDS)).isEqualTo(ControllerListener.Outcome.REQUEUE);
    assertThat(outcomes).isEmpty();
    Eventually.that(
        () -> {
          time.advance(Duration.ofHours(1));
          assertThat(outcomes).contains(ControllerListener.Outcome.DONE);
        });
  }

  /** 000-48: a controller that comes late runs at once. */
  @Test
  void startsAtOnceWhatIsRegisteredWithAManagerThatRuns() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    manager.start();
    ControllerBuilder.forType(Foo.class).reconciler(this::see).register(manager);
    Eventually.that(time, Controller.SYNC_POLL, () -> assertThat(reconciled).contains("default/a"));
  }

  /** 004-16..19: the four ways to ask, the last of which is everything at once. */
  @Test
  void reconcilesEverythingWhenItIsTriggered() throws Exception {
    ReconcileAll all = Source.all();
    server("Foo").put(Samples.json("Foo", "a"));
    server("Foo").put(Samples.json("Foo", "b"));
    assertThat(all.trigger()).isZero();
    start(ofFoo().watches(all));
    assertThat(next(2)).containsExactlyInAnyOrder("default/a", "default/b");
    assertThat(all.trigger()).isEqualTo(2);
    assertThat(next(2)).containsExactlyInAnyOrder("default/a", "default/b");
  }

  /** What can't be known before: a function wants more than there is. Nothing is lost by it. */
  @Test
  void saysWhatToDoWhenAPredicateReadsWhatIsNotCached() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    try (Logs logs = Logs.of(Source.class)) {
      start(
          ControllerBuilder.forType(
              InformerSpec.of(Foo.class).with(Projection.METADATA),
              Predicate.of(foo -> foo.getSpec() == null)));
      assertThat(next(1)).containsExactly("default/a");
      assertThat(logs.thrown())
          .singleElement()
          .asString()
          .contains("Projection.METADATA", "watch it with Projection.STRIPPED");
    }
  }
}
