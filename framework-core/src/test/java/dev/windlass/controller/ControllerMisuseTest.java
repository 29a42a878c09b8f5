// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.ReconcileAll;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.manager.Manager;
import dev.windlass.object.Projection;
import dev.windlass.testing.core.Foo;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.CustomResource;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a builder refuses, and with which sentence. */
@Timeout(60)
final class ControllerMisuseTest extends BuilderHarness {

  private static final String GENERATION =
      "the controller of Foo filters the events of every type by EventPredicate.generationChanged(),"
          + " which would hide the status of what it owns: give it to forType(type, predicate)"
          + " instead";

  private static final String NO_GENERATION =
      " filters the events of %s by EventPredicate.generationChanged(), which would hide every"
          + " update, because a %s has no metadata.generation: use resourceVersionChanged() instead";

  private static final String NAME_RULE =
      ", which appears in logs, metrics, threads and field ownership: call named(...) with"
          + " lower-case letters, digits, '-' and '.', beginning and ending with a letter or digit";

  private record Case(String misuse, ControllerBuilder<?> builder, String sentence) {}

  /** What is wrong, with which controller, and what to do. */
  static Stream<Case> misuses() {
    return Stream.of(
        new Case(
            "no reconciler",
            ofFoo(),
            "the controller of Foo has no reconciler: call objectReconciler(...) or reconciler(...)"),
        new Case(
            "no worker",
            ofFoo().reconciler(NOTHING).maxConcurrentReconciles(0),
            "the controller of Foo can't use what maxConcurrentReconciles(...) was given: a"
                + " controller needs at least one worker, not 0"),
        new Case(
            "a blank name",
            ofFoo().reconciler(NOTHING).named(" "),
            "the controller of Foo can't have the name ' '" + NAME_RULE),
        new Case(
            "a name of two lines",
            ofFoo().reconciler(NOTHING).named("a\nb"),
            "the controller of Foo can't have the name 'a\\u000ab'" + NAME_RULE),
        new Case(
            "a name with spaces",
            ofFoo().reconciler(NOTHING).named("My Name!"),
            "the controller of Foo can't have the name 'My Name!'" + NAME_RULE),
        new Case(
            "a name that ends with a hyphen",
            ofFoo().reconciler(NOTHING).named("foo-"),
            "the controller of Foo can't have the name 'foo-'" + NAME_RULE),
        new Case(
            "a name without letters",
            ControllerBuilder.withoutType("_").watches(new FakeSource()).reconciler(NOTHING),
            "the controller _ can't have the name '_'" + NAME_RULE),
        new Case(
            "a negative resync",
            ofFoo().reconciler(NOTHING).resync(Duration.ofHours(-1)),
            "the controller of Foo can't resync every -1 h: use Duration.ZERO for never"),
        new Case(
            "a generation filter over owned types",
            ofFoo()
                .withEventFilter(EventPredicate.generationChanged())
                .owns(ConfigMap.class)
                .reconciler(NOTHING),
            GENERATION),
        new Case(
            "a generation filter among others that must agree",
            ofFoo()
                .withEventFilter(
                    EventPredicate.labelSelector("app=web").and(EventPredicate.generationChanged()))
                .owns(ConfigMap.class)
                .reconciler(NOTHING),
            GENERATION),
        new Case(
            "a generation filter that has no alternative",
            ofFoo()
                .withEventFilter(
                    EventPredicate.<HasMetadata>generationChanged()
                        .or(EventPredicate.allOf(List.of(EventPredicate.generationChanged()))))
                .owns(ConfigMap.class)
                .reconciler(NOTHING),
            GENERATION),
        new Case(
            "a generation filter of updates",
            ofFoo()
                .withEventFilter(
                    EventPredicate.<HasMetadata>byType()
                        .updated(EventPredicate.generationChanged()))
                .owns(ConfigMap.class)
                .reconciler(NOTHING),
            GENERATION),
        new Case(
            "a generation filter of an owned type without generations",
            ofFoo().owns(ConfigMap.class, EventPredicate.generationChanged()).reconciler(NOTHING),
            "the controller of Foo" + NO_GENERATION.formatted("configmaps", "ConfigMap")),
        new Case(
            "a generation filter of a referenced type without generations",
            ofFoo()
                .watchesReferenced(
                    Secret.class,
                    foo -> List.of(),
                    EventPredicate.<Secret>generationChanged()
                        .and(EventPredicate.labelSelector("app=web")))
                .reconciler(NOTHING),
            "the controller of Foo" + NO_GENERATION.formatted("secrets", "Secret")),
        new Case(
            "a generation filter of a primary type without generations",
            ControllerBuilder.forType(ConfigMap.class)
                .withEventFilter(EventPredicate.generationChanged())
                .reconciler(NOTHING),
            "the controller of ConfigMap" + NO_GENERATION.formatted("configmaps", "ConfigMap")),
        new Case(
            "a reconciler of objects of which there is the metadata alone",
            ControllerBuilder.forType(InformerSpec.of(Foo.class).with(Projection.METADATA))
                .objectReconciler((foo, context) -> Result.done()),
            "the controller of Foo has an objectReconciler(...), which needs whole objects, but"
                + " watches their metadata only: call reconciler(...), or watch with"
                + " Projection.STRIPPED"),
        new Case(
            "the primary type among the owned ones",
            ofFoo().owns(Foo.class).reconciler(NOTHING),
            "the controller of Foo owns foos.samplecontroller.k8s.io, which is its primary type:"
                + " call watches(...) with a handler that selects the objects to reconcile"),
        new Case(
            "a cluster-scoped type owned by a namespaced one",
            ofFoo().ownsEvery(ClusterRole.class).reconciler(NOTHING),
            "the controller of Foo owns clusterroles.rbac.authorization.k8s.io, which is"
                + " cluster-scoped and can't have an owner in a namespace: call watches(...) with"
                + " EventHandler.mapping(...) instead"),
        new Case(
            "a type in two ways",
            ofFoo()
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
            ofFoo().watches(SOURCE).watches(SOURCE).reconciler(NOTHING),
            "the controller of Foo watches the one source twice: add each source only once"),
        new Case(
            "a namespace without a name",
            ofFoo().inNamespaces("a", "").reconciler(NOTHING),
            "the controller of Foo is restricted to the namespace '': leave inNamespaces(...) out to"
                + " watch all of them"),
        new Case(
            "no namespace at all",
            ofFoo().inNamespaces().reconciler(NOTHING),
            "the controller of Foo has inNamespaces() without a namespace: leave the call out to"
                + " watch all namespaces, or pass a NamespaceSet, which may be empty"),
        new Case(
            "what is no namespace",
            ofFoo().inNamespaces("No_Name").reconciler(NOTHING),
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
            ofFoo().owns(NoType.class).reconciler(NOTHING),
            "the controller of Foo can't use what owns(...) was given: "
                + NoType.class.getName()
                + " does not declare its API resource: annotate it with @Group and @Version,"
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
    EventPredicate<Foo> noPredicate = null;
    Source noSource = null;
    ReconcileAll noAll = null;
    InformerSpec<ConfigMap> maps = InformerSpec.of(ConfigMap.class);
    return Stream.of(
        nullCase("without a type", "forType", ControllerBuilder.forType(noClass)),
        nullCase("without a type", "forType", ControllerBuilder.forType(noSpec)),
        nullCase("of Foo", "forType", ControllerBuilder.forType(Foo.class, noPredicate)),
        nullCase(
            "of Foo",
            "forType",
            ControllerBuilder.forType(Foo.class, (EventPredicate<? super Foo>[]) null)),
        nullCase("of Foo", "owns", ofFoo().owns(noOwned)),
        nullCase("of Foo", "owns", ofFoo().owns(noOwnedSpec)),
        nullCase("of Foo", "ownsEvery", ofFoo().ownsEvery(noOwned)),
        nullCase("of Foo", "ownsEvery", ofFoo().ownsEvery(noOwnedSpec)),
        nullCase("of Foo", "watches", ofFoo().watches(noOwned, EventHandler.self())),
        nullCase("of Foo", "watches", ofFoo().watches(noOwnedSpec, EventHandler.self())),
        nullCase("of Foo", "watches", ofFoo().watches(ConfigMap.class, noHandler)),
        nullCase("of Foo", "watches", ofFoo().watches(maps, noHandler)),
        nullCase("of Foo", "watches", ofFoo().watches(noChannel, EventHandler.self())),
        nullCase("of Foo", "watches", ofFoo().watches(noSource)),
        nullCase("of Foo", "watches", ofFoo().watches(noAll)),
        nullCase("of Foo", "withEventFilter", ofFoo().withEventFilter(null)),
        nullCase("of Foo", "inNamespaces", ofFoo().inNamespaces("a", null)),
        nullCase("of Foo", "named", ofFoo().named(null)),
        nullCase("of Foo", "resync", ofFoo().resync(null)),
        nullCase("of Foo", "rateLimiter", ofFoo().rateLimiter(null)),
        nullCase("of Foo", "listener", ofFoo().listener(null)));
  }

  private static Case nullCase(String kind, String call, ControllerBuilder<Foo> builder) {
    return new Case(
        call + " " + kind,
        builder.reconciler(NOTHING),
        "the controller %s received null through %s(...): pass a value, or omit the call"
            .formatted(kind, call));
  }

  @ParameterizedTest
  @MethodSource("nulls")
  void refusesNullWithASentence(Case c) {
    refusesMisuseWithASentence(c);
  }

  /** A type may be watched in several clusters, and nobody is owned from another one. */
  @Test
  void namesTheClusterThatIsMeant() {
    manager.cluster("east", Config.empty());
    assertThatThrownBy(
            () ->
                ofFoo()
                    .owns(InformerSpec.of(ConfigMap.class).inCluster("east"))
                    .reconciler(NOTHING)
                    .register(manager))
        .hasMessage(
            "the controller of Foo owns configmaps in the cluster 'east', but its primary type is in"
                + " the program's own cluster, and an owner must be in the same cluster: call"
                + " watches(...) instead");
    assertThat(
            ofFoo()
                .watches(InformerSpec.of(Foo.class).inCluster("east"), EventHandler.self())
                .reconciler(NOTHING)
                .register(manager)
                .watched())
        .containsExactly(
            "foos.samplecontroller.k8s.io", "foos.samplecontroller.k8s.io in the cluster east");
  }

  /** Names are unique in a manager, in another one they are free, and so they are afterwards. */
  @Test
  void refusesANameThatIsTaken() throws Exception {
    Controller first = ofFoo().reconciler(NOTHING).register(manager);
    assertThatThrownBy(() -> ofFoo().reconciler(NOTHING).register(manager))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the controller foo already exists: choose another name, or remove that component"
                + " first");
    ofFoo().named("other").reconciler(NOTHING).register(manager);
    assertThat(manager.remove(first)).isTrue();
    ofFoo().reconciler(NOTHING).register(manager);
    try (Manager another = Manager.builder().config(Config.empty()).build()) {
      ofFoo().reconciler(NOTHING).register(another);
    }
  }

  @ParameterizedTest
  @MethodSource("misuses")
  void refusesMisuseWithASentence(Case c) {
    assertThatThrownBy(() -> c.builder().register(manager))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(c.sentence());
    assertThat(manager.informers().informers()).as("nothing is left behind").isEmpty();
  }

  /** The filter is about the primary alone: sources have no objects. */
  @Test
  void takesAGenerationFilterWhereThereAreNoOtherTypes() {
    ofFoo()
        .withEventFilter(EventPredicate.generationChanged())
        .watches(new FakeSource())
        .reconciler(NOTHING)
        .register(manager);
    ControllerBuilder.forType(Foo.class, EventPredicate.generationChanged())
        .owns(ConfigMap.class)
        .named("other")
        .reconciler(NOTHING)
        .register(manager);
  }

  /** One that lets the status through in its own way, too, hides nothing. */
  @Test
  void takesAGenerationFilterThatHasAnAlternative() {
    ofFoo()
        .withEventFilter(
            EventPredicate.<HasMetadata>generationChanged()
                .or(EventPredicate.of(object -> object instanceof ConfigMap)))
        .owns(ConfigMap.class)
        .reconciler(NOTHING)
        .register(manager);
  }

  static Stream<Arguments> wrongOptions() {
    return Stream.of(
        option(b -> b.reconcileTimeout(Duration.ofSeconds(-1)), "must not be negative: -1 s"),
        option(b -> b.slowAfter(Duration.ZERO), "slowAfter must be more than zero"),
        option(b -> b.syncTimeout(Duration.ZERO), "syncTimeout must be more than zero"),
        option(b -> b.finalizer("no-domain", (foo, context) -> Result.done()), "finalizer(...)"),
        option(
            b -> b.onError((foo, e, c) -> Result.done()).errorPolicy((r, e, c) -> Result.done()),
            "has two policies: call errorPolicy(...) or onError(...), not both"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "not an annotation!", "a/b/c", "/a", "a/", "-a", "a..b/c"})
  void refusesToBePausedByWhatIsNoAnnotation(String annotation) {
    refusesWhatAnOptionCantBe(
        b -> b.pausedBy(annotation),
        "can't use what pausedBy(...) was given: '"
            + annotation
            + "' can't be the name of an annotation; use a domain and a name, such as"
            + " 'example.com/paused'");
  }

  /** Whatever the API server takes. */
  @ParameterizedTest
  @ValueSource(strings = {"paused", "example.com/paused", "Example.com/Is_Paused.v1", "a/b"})
  void mayBePausedByAnyAnnotation(String annotation) {
    ofFoo().pausedBy(annotation).reconciler(NOTHING).register(manager);
  }

  /** One word, several words, and a group as in controller-runtime. */
  @ParameterizedTest
  @ValueSource(strings = {"f", "foo", "foo-2", "foos.samplecontroller.k8s.io"})
  void mayHaveANameThatFitsMetricsAndThreads(String name) {
    ofFoo().named(name).reconciler(NOTHING).register(manager);
  }

  private static Arguments option(UnaryOperator<ControllerBuilder<Foo>> call, String said) {
    return Arguments.of(call, said);
  }

  @ParameterizedTest
  @MethodSource("wrongOptions")
  void refusesWhatAnOptionCantBe(UnaryOperator<ControllerBuilder<Foo>> call, String said) {
    assertThatThrownBy(() -> call.apply(ofFoo().reconciler(NOTHING)).register(manager))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("the controller of Foo")
        .hasMessageContaining(said);
  }

  /** A builder is a description: to use it makes nothing of it. */
  @Test
  void maySayTheSameTwice() {
    ControllerBuilder<Foo> builder =
        ofFoo().onError((foo, error, context) -> Result.done()).reconciler(NOTHING);
    builder.named("one").register(manager);
    builder.named("two").register(manager);
  }

  static Stream<Arguments> withoutType() {
    return Stream.of(
        option2(b -> b, "watches nothing: call watches(...)"),
        option2(b -> b.owns(ConfigMap.class), "has no primary type that could own it"),
        option2(
            b -> b.watches(Source.all()), "has no primary type whose objects could be reconciled"),
        option2(
            b -> b.watchesReferenced(ConfigMap.class, any -> List.of()),
            "has no primary type whose references could be watched"),
        option2(
            b ->
                b.watches(ConfigMap.class, EventHandler.self())
                    .onError((object, e, c) -> Result.done()),
            "has no primary type, but onError(...) needs its objects"));
  }

  private static Arguments option2(
      UnaryOperator<ControllerBuilder<HasMetadata>> call, String said) {
    return Arguments.of(call, said);
  }

  @ParameterizedTest
  @MethodSource("withoutType")
  void refusesWhatNeedsAPrimaryType(
      UnaryOperator<ControllerBuilder<HasMetadata>> call, String said) {
    assertThatThrownBy(
            () ->
                call.apply(ControllerBuilder.withoutType("sweeper").reconciler(NOTHING))
                    .register(manager))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("the controller sweeper")
        .hasMessageContaining(said);
  }
}
