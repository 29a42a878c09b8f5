// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.Predicate;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.manager.Manager;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.core.Eventually;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import dev.windlass.testing.feed.FakeListerWatcher;
import dev.windlass.testing.time.ManualScheduler;
import dev.windlass.workqueue.RateLimiter;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
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
  private final BlockingQueue<String> reconciled = new LinkedBlockingQueue<>();
  private final Manager manager =
      Manager.builder()
          .config(Config.empty())
          .informerOptions(InformerOptions.defaults().withScheduler(time))
          .connector(client -> (type, scope) -> server(type))
          .build();

  @AfterEach
  void stops() {
    assertThat(manager.stop()).isTrue();
    servers.values().forEach(FakeListerWatcher::assertNothingOpen);
  }

  private FakeListerWatcher server(ResourceType type) {
    return servers.computeIfAbsent(type.kind(), kind -> new FakeListerWatcher());
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
                + " give it to forType(type, predicate) instead"));
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
}
