// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import dev.windlass.manager.OnLeadershipLost;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.testing.reconciler.Write;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRuleBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** {@link ReconcilerTest} runs a real operator step by step. */
final class VirtualOperatorTest {

  private static ReconcilerTest test(ObjectReconciler<Widget> reconciler) {
    return ReconcilerTest.of(Widget.class, () -> reconciler, ConfigMap.class);
  }

  @Test
  void runsOneReconcileAtATime() {
    try (ReconcilerTest test = test(WidgetReconcilers::reportsAfterwards)) {
      test.create(Widget.of("default", "a"));
      test.create(Widget.of("default", "b"));

      test.reconcile()
          .assertWrites(
              "create configmaps default/a-child",
              "update widgets.owned.windlass.dev/status default/a");
      assertThat(test.get(ConfigMap.class, "default", "b-child")).isEmpty();
      assertThat(test.reconcile().object()).isEqualTo("default/b");

      test.assertEventuallyStable();
      int before = test.writes().size();
      test.edit(Widget.class, "default", "a", widget -> widget.getSpec().setSize(5));
      test.assertEventuallyStable();
      assertThat(test.writes().subList(before, test.writes().size()))
          .extracting(Write::toString)
          .containsExactly(
              "patch configmaps default/a-child",
              "update widgets.owned.windlass.dev/status default/a");
    }
  }

  @Test
  void collectsGarbage() {
    try (ReconcilerTest test = test(WidgetReconcilers::reportsAfterwards)) {
      test.create(Widget.of("default", "a"));
      test.assertEventuallyStable();
      test.delete(Widget.class, "default", "a");
      test.advance(Duration.ZERO);
      assertThat(test.list(ConfigMap.class, "default")).isEmpty();
    }
  }

  @Test
  void reachesLaterReconcilesAtTheirTime() {
    List<Instant> runs = new ArrayList<>();
    List<ReconcilerTest> self = new ArrayList<>();
    try (ReconcilerTest test =
        test(
            (widget, context) -> {
              runs.add(self.get(0).clock().instant());
              return Result.requeueAfter(Duration.ofHours(3));
            })) {
      self.add(test);
      test.create(Widget.of("default", "a"));
      test.reconcile();
      test.advance(Duration.ofHours(10));
      assertThat(runs).hasSize(4);
      assertThat(Duration.between(runs.get(0), runs.get(3))).isEqualTo(Duration.ofHours(9));
    }
  }

  @Test
  void reportsAnOperatorThatDoesNotComeToRest() {
    AtomicInteger runs = new AtomicInteger();
    try (ReconcilerTest test =
        test(
            (widget, context) -> {
              widget.setStatus(new Widget.Status());
              widget.getStatus().setReady(runs.incrementAndGet());
              context.client().updateStatus(widget);
              return Result.requeueAfter(Duration.ofHours(1));
            })) {
      test.create(Widget.of("default", "a"));
      assertThatThrownBy(test::assertEventuallyStable)
          .isInstanceOf(AssertionError.class)
          .hasMessageStartingWith("the operator still writes after ")
          .hasMessageContaining("update widgets.owned.windlass.dev/status default/a");
    }
  }

  @Test
  void reportsAReconcilerThatKeepsFailing() {
    try (ReconcilerTest test =
        test(
            (widget, context) -> {
              throw new IllegalStateException("out of cheese");
            })) {
      test.create(Widget.of("default", "a"));
      assertThat(test.reconcile().outcome()).isEqualTo("error");
      assertThatThrownBy(test::assertEventuallyStable)
          .isInstanceOf(AssertionError.class)
          .hasMessageStartingWith("the reconcile of default/a still fails after ")
          .hasMessageEndingWith("java.lang.IllegalStateException: out of cheese");
    }
  }

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static final LeaderElectionOptions ELECTION =
      LeaderElectionOptions.of("operator").withNamespace("default");

  /** An operator that does nothing any more would otherwise look like a stable one. */
  @Test
  void reportsAnOperatorThatHasLostItsLease() {
    try (ReconcilerTest test =
        test(WidgetReconcilers::reportsAfterwards)
            .withManager(builder -> builder.leaderElection(ELECTION))
            .withStablePeriod(MINUTE)) { // the lease is renewed every 2 s
      test.create(Widget.of("default", "a"));
      test.assertEventuallyStable();
      test.edit(
          Lease.class, "default", "operator", lease -> lease.getSpec().setHolderIdentity("other"));
      test.advance(Duration.ofMinutes(1));
      test.edit(Widget.class, "default", "a", widget -> widget.getSpec().setSize(7));
      String why = "the operator does not run, because its manager has failed: ";
      assertThatThrownBy(test::assertEventuallyStable)
          .isInstanceOf(AssertionError.class)
          .hasMessageStartingWith(why)
          .hasMessageEndingWith("to start a new one, call crash()");
      assertThatThrownBy(test::reconcile)
          .isInstanceOf(AssertionError.class)
          .hasMessageStartingWith(why);
      test.crash();
      test.assertEventuallyStable();
      assertThat(test.get(Widget.class, "default", "a").orElseThrow().getStatus().getReady())
          .isEqualTo(7);
    }
  }

  @Test
  void reportsAnOperatorThatIsNotTheLeader() {
    try (ReconcilerTest test =
        test(WidgetReconcilers::reportsAfterwards)
            .withManager(
                builder ->
                    builder.leaderElection(ELECTION).onLeadershipLost(OnLeadershipLost.STAND_BY))
            .withStablePeriod(MINUTE)) {
      test.assertEventuallyStable();
      test.server()
          .fail(RequestMatcher.of(Verb.UPDATE, "leases.coordination.k8s.io"), 500, 1_000_000);
      test.advance(Duration.ofMinutes(1));
      assertThatThrownBy(test::assertEventuallyStable)
          .isInstanceOf(AssertionError.class)
          .hasMessageStartingWith(
              "the operator does not run, because it does not hold the lease default/operator,");
    }
  }

  @Test
  void reportsAManagerThatHasBeenStopped() {
    List<Manager> managers = new ArrayList<>();
    try (ReconcilerTest test = ReconcilerTest.of(managers::add)) {
      test.advance(Duration.ZERO);
      managers.get(0).stop();
      assertThatThrownBy(test::assertEventuallyStable)
          .hasMessageStartingWith(
              "the operator does not run, because its manager has been stopped. ");
    }
  }

  /** It reconciles nothing, so it writes nothing either. */
  @Test
  void reportsAControllerThatWaitsForACache() {
    try (ReconcilerTest test =
        ReconcilerTest.of(
            manager ->
                ControllerBuilder.forType(ConfigMap.class)
                    .owns(Widget.class)
                    .reconciler((request, context) -> Result.done())
                    .register(manager))) {
      String why =
          "the controller configmap does not run: widgets.owned.windlass.dev: The server does";
      assertThatThrownBy(test::assertEventuallyStable)
          .isInstanceOf(AssertionError.class)
          .hasMessageStartingWith(why)
          .hasMessageContaining("install(");
      assertThatThrownBy(test::reconcile)
          .isInstanceOf(AssertionError.class)
          .hasMessageStartingWith(why);
    }
  }

  @Test
  void namesTheFailureOfAReconcilerThatReturnsNull() {
    try (ReconcilerTest test = test((widget, context) -> nothing())) {
      test.create(Widget.of("default", "a"));
      assertThat(test.reconcile().failure().orElseThrow()).hasMessageContaining("returned null");
      assertThatThrownBy(test::assertEventuallyStable).hasMessageContaining("returned null");
    }
  }

  @SuppressWarnings("NullAway") // what a careless reconciler does
  private static Result nothing() {
    return null;
  }

  @Test
  void readsAndChangesClusterScopedObjects() {
    try (ReconcilerTest test = test(WidgetReconcilers::reportsAfterwards)) {
      test.create(new ClusterRoleBuilder().withNewMetadata().withName("r").endMetadata().build());
      test.edit(ClusterRole.class, "", "r", role -> role.getMetadata().setLabels(Map.of("a", "b")));
      assertThat(test.get(ClusterRole.class, "", "r").orElseThrow().getMetadata().getLabels())
          .containsEntry("a", "b");
      test.delete(ClusterRole.class, "", "r");
      assertThat(test.get(ClusterRole.class, "", "r")).isEmpty();
    }
  }

  @Test
  void checksInvariantsAfterEachWrite() {
    try (ReconcilerTest test =
        test(WidgetReconcilers::reportsTooEarly)
            .always(
                "a ready widget has its child",
                client ->
                    client.resources(Widget.class).inAnyNamespace().list().getItems().stream()
                        .filter(widget -> widget.getStatus() != null)
                        .allMatch(
                            widget ->
                                client
                                        .configMaps()
                                        .inNamespace("default")
                                        .withName(WidgetReconcilers.childName(widget))
                                        .get()
                                    != null))) {
      test.create(Widget.of("default", "a"));
      assertThatThrownBy(test::reconcile)
          .isInstanceOf(AssertionError.class)
          .hasMessage(
              "after 'update widgets.owned.windlass.dev/status default/a', this is not true: a ready widget has its child");
    }
  }

  @Test
  void startsANewProcessAfterACrash() {
    AtomicInteger processes = new AtomicInteger();
    try (ReconcilerTest test =
        ReconcilerTest.of(
                manager -> {
                  processes.incrementAndGet();
                  ControllerBuilder.forType(Widget.class)
                      .owns(ConfigMap.class)
                      .objectReconciler(WidgetReconcilers::reportsAfterwards)
                      .register(manager);
                })
            .install(Widget.definition())) {
      test.create(Widget.of("default", "a"));
      test.assertEventuallyStable();
      int writes = test.writes().size();
      test.crash();
      test.create(Samples.map("default", "other"));
      test.assertEventuallyStable();
      assertThat(processes).hasValue(2);
      assertThat(test.writes()).as("a restart writes nothing").hasSize(writes);
    }
  }

  /** An object that knows how often one of its kind has been decoded. */
  @Group("owned.windlass.dev")
  @Version("v1")
  @SuppressWarnings("serial") // nobody serializes it
  public static final class Counted extends CustomResource<Counted.Spec, Void>
      implements Namespaced {

    private static final AtomicInteger DECODED = new AtomicInteger();

    /** A part that each decoding makes. */
    public static final class Spec {
      /** A value, without which there would be nothing to encode. */
      public int size;

      /** Counts. */
      public Spec() {
        DECODED.incrementAndGet();
      }
    }
  }

  @Test
  void readsTheObjectOncePerReconcile() {
    List<Integer> decoded = new ArrayList<>();
    try (ReconcilerTest test =
        ReconcilerTest.of(
                ControllerBuilder.forType(Counted.class)
                        .finalizer("example.com/counted", (object, context) -> Result.done())
                        .objectReconciler(
                            (object, context) -> {
                              decoded.add(Counted.DECODED.getAndSet(0));
                              return Result.requeueAfter(Duration.ofSeconds(1));
                            })
                    ::register)
            .install(Counted.class)) {
      Counted object = new Counted();
      object.setMetadata(new ObjectMetaBuilder().withNamespace("default").withName("a").build());
      object.setSpec(new Counted.Spec());
      test.create(object);
      test.advance(Duration.ofSeconds(5));
    }
    assertThat(decoded).hasSizeGreaterThan(4).endsWith(1, 1, 1);
  }

  @Test
  void failsForRulesThatOnlyARealServerEvaluates() {
    CustomResourceDefinition definition = Widget.definition();
    definition
        .getSpec()
        .getVersions()
        .get(0)
        .getSchema()
        .getOpenAPIV3Schema()
        .setXKubernetesValidations(
            List.of(new ValidationRuleBuilder().withRule("isURL(self.metadata.name)").build()));
    try (ReconcilerTest strict =
        ReconcilerTest.of(
                ControllerBuilder.forType(Widget.class)
                        .objectReconciler(WidgetReconcilers::reportsAfterwards)
                    ::register)
            .install(definition)) {
      strict.create(Widget.of("default", "a"));
      assertThatThrownBy(strict::reconcile)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("[isURL(self.metadata.name)]")
          .hasMessageContaining("withoutRules");
      strict.withoutRules("isURL(self.metadata.name)").reconcile();
    }
  }
}
