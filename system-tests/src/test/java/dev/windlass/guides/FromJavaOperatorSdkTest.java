// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.client.owned.Conditions;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.client.owned.Prune;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.tests.owned.Widget;
import dev.windlass.workqueue.RateLimiter;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The code of {@code docs/coming-over/java-operator-sdk.md}. */
@Timeout(60)
final class FromJavaOperatorSdkTest {

  private static final Logger log = LoggerFactory.getLogger(FromJavaOperatorSdkTest.class);

  private static final Set<String> buckets = new TreeSet<>();

  private static Widget widget(String name) {
    Widget widget = Widget.of("default", name);
    widget.getMetadata().setLabels(Map.of("app", "shop"));
    return widget;
  }

  // sample: reconciler
  static final class WidgetReconciler {
    void register(Manager manager) {
      ControllerBuilder.forType(
              InformerSpec.of(Widget.class).in(WatchScope.ALL.withLabels("app=shop")),
              EventPredicate.generationChanged())
          .named("widgetreconciler") // the name in the Java Operator SDK, see below
          .owns(ConfigMap.class)
          .finalizer("widgets.owned.windlass.dev/finalizer", this::cleanUp)
          .objectReconciler(this::reconcile)
          .register(manager);
    }

    private Result reconcile(Widget widget, ReconcileContext context) {
      Owned.apply(context.client(), widget, settings(widget));
      Widget.Status status = new Widget.Status();
      status.setReady(context.secondaries(ConfigMap.class).size());
      widget.setStatus(status);
      context.client().updateStatus(widget); // not sent if nothing has changed
      return Result.requeueAfter(Duration.ofMinutes(10));
    }

    private Result cleanUp(Widget widget, ReconcileContext context) {
      boolean gone = deleteBucket(widget);
      return gone ? Result.done() : Result.requeueAfter(Duration.ofSeconds(10));
    }
  }

  // end

  private static boolean deleteBucket(Widget widget) {
    return !buckets.add(widget.getMetadata().getUid()); // the first call only begins
  }

  private static ConfigMap settings(Widget widget) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(widget.getMetadata().getNamespace())
        .withName(widget.getMetadata().getName() + "-settings")
        .endMetadata()
        .addToData("size", String.valueOf(widget.getSpec().getSize()))
        .build();
  }

  private static Secret password(Widget widget) {
    return new SecretBuilder()
        .withNewMetadata()
        .withNamespace(widget.getMetadata().getNamespace())
        .withName(widget.getMetadata().getName() + "-password")
        .endMetadata()
        .addToStringData("size", String.valueOf(widget.getSpec().getSize()))
        .build();
  }

  // sample: test
  @Test
  void createsTheSettings() {
    try (ReconcilerTest test =
        ReconcilerTest.of(manager -> new WidgetReconciler().register(manager))
            .install(Widget.class)) {
      test.create(widget("first"));
      test.reconcile()
          .assertWrites(
              "patch widgets.owned.windlass.dev default/first", // the finalizer
              "create configmaps default/first-settings",
              "update widgets.owned.windlass.dev/status default/first");
      test.assertEventuallyStable();
      test.delete(Widget.class, "default", "first");
      test.advance(Duration.ofSeconds(10));
      assertThat(test.get(Widget.class, "default", "first")).isEmpty();
    }
  }

  // end

  /** A program, which no test starts: it would read the kubeconfig of the machine. */
  static final class Program {
    private Program() {}

    // sample: main
    public static void main(String[] args) {
      ManagerBuilder builder =
          Manager.builder()
              .leaderElection(LeaderElectionOptions.of("widget-operator"))
              .stopTimeout(Duration.ofSeconds(20));
      try (Manager manager = builder.build()) {
        new WidgetReconciler().register(manager);
        System.exit(manager.run() ? 0 : 1); // until SIGTERM; throws if the lease is lost
      }
    }

    // end
  }

  private static void retries(Manager manager) {
    // sample: retries
    ControllerBuilder.forType(Widget.class)
        .rateLimiter(RateLimiter.exponential(Duration.ofSeconds(2), Duration.ofSeconds(15)))
        .maxRetries(
            5, (request, failures) -> log.error("giving up on {} until it changes", request))
        .minimumInterval(Duration.ofSeconds(3)) // instead of @RateLimited
        .resync(Duration.ofHours(10)) // the default, as maxReconciliationInterval
        .maxConcurrentReconciles(4) // of this controller alone; the default is 1
        .objectReconciler(FromJavaOperatorSdkTest::failing)
        .register(manager);
    // end
  }

  private static Result failing(Widget widget, ReconcileContext context) {
    throw new IllegalStateException("always");
  }

  @Test
  void givesUpAfterFiveRetries() {
    try (ReconcilerTest test =
        ReconcilerTest.of(FromJavaOperatorSdkTest::retries).install(Widget.class)) {
      test.create(widget("first"));
      test.advance(Duration.ofHours(2));
      assertThat(test.reconciles()).hasSize(6);
    }
  }

  // sample: on-error
  private static Result reportFailure(Widget widget, Exception error, ReconcileContext context)
      throws Exception {
    if (widget.getStatus() == null) {
      widget.setStatus(new Widget.Status());
    }
    boolean changed =
        Conditions.of(widget.getStatus().getConditions(), Clock.systemUTC())
            .set(
                "Ready",
                Conditions.Status.FALSE,
                "Failed",
                String.valueOf(error.getMessage()),
                widget.getMetadata().getGeneration());
    if (changed) {
      context.client().updateStatus(widget);
    }
    if (error instanceof IllegalArgumentException) {
      throw new TerminalException("the spec is invalid", error); // withNoRetry()
    }
    throw error; // retried with back-off
  }

  // end

  private static void reporting(Manager manager) {
    ControllerBuilder.forType(Widget.class, EventPredicate.generationChanged())
        .onError(FromJavaOperatorSdkTest::reportFailure)
        .objectReconciler(
            (widget, context) -> {
              throw new IllegalArgumentException("no such colour");
            })
        .register(manager);
  }

  @Test
  void reportsAFailureInTheStatus() {
    try (ReconcilerTest test =
        ReconcilerTest.of(FromJavaOperatorSdkTest::reporting).install(Widget.class)) {
      test.create(widget("first"));
      test.advance(Duration.ofHours(2));
      assertThat(test.reconciles()).hasSize(1);
      assertThat(
              test.get(Widget.class, "default", "first").orElseThrow().getStatus().getConditions())
          .hasSize(1);
    }
  }

  // sample: dependents
  private static Result reconcileParts(Widget widget, ReconcileContext context) {
    ConfigMap settings = Owned.apply(context.client(), widget, settings(widget)).object();
    if (!isAccepted(settings)) { // readyPostcondition
      return Result.done(); // owns(ConfigMap.class) triggers the next run when it changes
    }
    List<Secret> wanted = new ArrayList<>();
    if (widget.getSpec().getParts().contains("password")) { // reconcilePrecondition
      wanted.add(Owned.apply(context.client(), widget, password(widget)).object());
    }
    Prune.prune(context.client(), widget, Secret.class, wanted); // deletes what is not wanted
    return Result.done();
  }

  // end

  private static boolean isAccepted(ConfigMap settings) {
    return !settings.getData().get("size").equals("0");
  }

  @Test
  void createsAndDeletesADependentByItsCondition() {
    try (ReconcilerTest test =
        ReconcilerTest.of(
                manager ->
                    ControllerBuilder.forType(Widget.class)
                        .owns(ConfigMap.class)
                        .owns(Secret.class)
                        .objectReconciler(FromJavaOperatorSdkTest::reconcileParts)
                        .register(manager))
            .install(Widget.class)) {
      Widget first = widget("first");
      first.getSpec().setParts(List.of("password"));
      test.create(first);
      test.assertEventuallyStable();
      assertThat(test.get(Secret.class, "default", "first-password")).isPresent();
      test.edit(Widget.class, "default", "first", widget -> widget.getSpec().setParts(List.of()));
      test.assertEventuallyStable();
      assertThat(test.get(Secret.class, "default", "first-password")).isEmpty();
    }
  }

  private static void sources(Manager manager) {
    // sample: sources
    ControllerBuilder.forType(Widget.class, EventPredicate.generationChanged())
        // a secondary that names its primary: withSecondaryToPrimaryMapper
        .watches(
            ConfigMap.class,
            EventHandler.mapping(
                map ->
                    List.of(
                        Request.of(
                            map.getMetadata().getNamespace(),
                            map.getMetadata().getLabels().getOrDefault("widget", "none")))),
            EventPredicate.labelSelector("widget"))
        // a primary that names its secondaries: withPrimaryToSecondaryMapper
        .watchesReferenced(
            Secret.class,
            widget ->
                widget.getSpec().getParts().stream()
                    .filter(part -> part.matches("[-.a-z0-9]+")) // users write anything
                    .map(part -> ObjectKey.of(widget.getMetadata().getNamespace(), part))
                    .toList())
        // an external system: PollingEventSource
        .watches(
            Source.ticker(
                Duration.ofMinutes(5),
                FromJavaOperatorSdkTest::widgetsWithNewPrices,
                manager.informerOptions()))
        .objectReconciler((widget, context) -> Result.done())
        .register(manager);
    // end
  }

  private static List<Request> widgetsWithNewPrices() {
    return List.of(Request.of("default", "first"));
  }

  @Test
  void isTriggeredByEachSource() {
    try (ReconcilerTest test =
        ReconcilerTest.of(FromJavaOperatorSdkTest::sources).install(Widget.class)) {
      Widget first = widget("first");
      first.getSpec().setParts(List.of("a/b", "key"));
      test.create(first);
      test.advance(Duration.ofSeconds(1));
      assertThat(test.reconciles()).hasSize(1);
      ConfigMap map = settings(first);
      map.getMetadata().setLabels(Map.of("widget", "first"));
      test.create(map);
      test.advance(Duration.ofSeconds(1));
      assertThat(test.reconciles()).hasSize(2);
      Secret key = password(first);
      key.getMetadata().setName("key");
      test.create(key);
      test.advance(Duration.ofSeconds(1));
      assertThat(test.reconciles()).hasSize(3);
      test.advance(Duration.ofMinutes(6));
      assertThat(test.reconciles()).hasSizeGreaterThan(3);
    }
  }

  // sample: adopt
  private static ConfigMap applyAndAdopt(Client client, Widget widget, ConfigMap wanted) {
    client
        .get(wanted)
        .filter(found -> OwnerReferences.isOwnedBy(found, widget)) // maybe without controller: true
        .ifPresent(found -> Owned.adopt(client, widget, found)); // no request if it is set
    return Owned.apply(client, widget, wanted).object();
  }

  // end

  @Test
  void adoptsAnObjectWithAPlainOwnerReference() {
    try (ReconcilerTest test =
        ReconcilerTest.of(
                manager ->
                    ControllerBuilder.forType(Widget.class)
                        .owns(ConfigMap.class)
                        .pausedBy("paused")
                        .objectReconciler(
                            (widget, context) -> {
                              applyAndAdopt(context.client(), widget, settings(widget));
                              return Result.done();
                            })
                        .register(manager))
            .install(Widget.class)) {
      Widget first = widget("first");
      first.getMetadata().setAnnotations(Map.of("paused", "true"));
      Widget created = test.create(first);
      ConfigMap map = settings(created);
      OwnerReferences.setOwner(map, created);
      test.create(map);
      test.edit(Widget.class, "default", "first", w -> w.getMetadata().setAnnotations(Map.of()));
      test.assertEventuallyStable();
      assertThat(test.get(ConfigMap.class, "default", "first-settings").orElseThrow())
          .matches(found -> OwnerReferences.isControlledBy(found, created));
    }
  }
}
