// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.enqueue.ReconcileAll;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.running.SourceRunner;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.manager.Manager;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import dev.windlass.workqueue.RateLimiter;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ControllerBuilderTest extends BuilderHarness {

  @Test
  void endsItsWatchesWhenItIsRemoved() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    Controller with = ofFoo().owns(ConfigMap.class).reconciler(this::see).register(manager);
    startUntilReady(with);
    assertThat(next(1)).containsExactly("default/a");
    ofFoo().named("other").reconciler(this::see).register(manager);
    Eventually.that(
        time, SourceRunner.SYNC_POLL, () -> assertThat(reconciled).containsExactly("default/a"));
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

  /** Objects of the primary type can trigger the reconciles of their siblings. */
  @Test
  void namesATypeOnceThatItWatchesTwice() {
    Controller controller =
        ofFoo()
            .watches(Foo.class, EventHandler.mapping(foo -> List.of()))
            .reconciler(NOTHING)
            .register(manager);
    assertThat(controller.watched()).hasSize(1);
  }

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

  /** The controller's filter sees all events, that of a source the events of this source alone. */
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
    server("Foo").put(Samples.json("Foo", "filtered"));
    server("Foo").put(Samples.json("Foo", "refused"));
    assertThat(next(1)).as("of another source").containsExactly("default/refused");
    assertThat(reconciled).isEmpty();
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

  /** Every 10 h, a tenth more or less. */
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
  void neverReconcilesWithoutAReasonIfSoAsked() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    start(ControllerBuilder.forType(Foo.class).resync(Duration.ZERO));
    assertThat(next(1)).containsExactly("default/a");
    assertThat(time.pending())
        .as("alarms longer than those of watches and of the watchdog")
        .noneMatch(wait -> wait.compareTo(Duration.ofMinutes(10)) > 0);
  }

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
              EventPredicate.of(foo -> foo.getSpec() == null)));
      assertThat(next(1)).containsExactly("default/a");
      assertThat(logs.thrown())
          .singleElement()
          .asString()
          .contains("Projection.METADATA", "watch it with Projection.STRIPPED");
    }
  }
}
