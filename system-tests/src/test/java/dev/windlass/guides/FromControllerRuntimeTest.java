// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.client.ListParams;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.client.owned.Finalization;
import dev.windlass.client.owned.Finalizers;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/coming-over/controller-runtime.md}. */
@Timeout(60)
final class FromControllerRuntimeTest {

  /** Something outside of the cluster. */
  private static final class Buckets {
    final Set<String> names = new TreeSet<>();

    void delete(String name) {
      names.remove(name);
    }
  }

  // sample: reconciler
  static final class WidgetReconciler {
    private final Buckets buckets;
    private final Finalizers<Widget> finalizers =
        Finalizers.<Widget>none().with("example.com/bucket", this::deleteBucket);

    WidgetReconciler(Buckets buckets) {
      this.buckets = buckets;
    }

    Result reconcile(Request request, ReconcileContext context) throws Exception {
      Client client = context.client();
      Optional<Widget> found = client.get(Widget.class, request.key());
      if (found.isEmpty()) {
        return Result.done();
      }
      Finalization<Widget> state = finalizers.run(client, found.get());
      if (state.deleting()) {
        return state.result();
      }
      Widget widget = state.object(); // it has the finalizer
      CreateOrUpdate.createOrUpdate(
          client,
          skeleton(widget),
          map -> {
            map.setData(Map.of("size", String.valueOf(widget.getSpec().getSize())));
            OwnerReferences.setController(map, widget);
          });
      widget.setStatus(new Widget.Status());
      widget.getStatus().setReady(1);
      client.updateStatus(widget);
      return Result.requeueAfter(Duration.ofMinutes(10));
    }

    private Result deleteBucket(Widget widget) {
      buckets.delete(widget.getMetadata().getUid());
      return Result.done();
    }
  }

  // end

  private static ConfigMap skeleton(Widget widget) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(widget.getMetadata().getNamespace())
        .withName(widget.getMetadata().getName())
        .endMetadata()
        .build();
  }

  private static void register(Manager manager) {
    WidgetReconciler reconciler = new WidgetReconciler(new Buckets());
    // sample: builder
    ControllerBuilder.forType(Widget.class, EventPredicate.generationChanged())
        .owns(ConfigMap.class)
        .watches(
            Secret.class,
            EventHandler.mapping(FromControllerRuntimeTest::widgetsThatUse),
            EventPredicate.labelSelector("widget"))
        .maxConcurrentReconciles(4)
        .reconcileTimeout(Duration.ofMinutes(1))
        .usesFinalizers() // for the generated Role, because the reconciler runs them itself
        .reconciler(reconciler::reconcile)
        .register(manager);
    // end
  }

  private static List<Request> widgetsThatUse(Secret secret) {
    return List.of(
        Request.of(
            secret.getMetadata().getNamespace(), secret.getMetadata().getLabels().get("widget")));
  }

  @Test
  void reconcilesLikeThePort() {
    try (ReconcilerTest test =
        ReconcilerTest.of(FromControllerRuntimeTest::register).install(Widget.class)) {
      test.create(Widget.of("default", "first"));
      test.reconcile()
          .assertWrites(
              "patch widgets.owned.windlass.dev default/first",
              "create configmaps default/first",
              "update widgets.owned.windlass.dev/status default/first");
      test.advance(Duration.ofSeconds(1));
      int runs = test.reconciles().size();
      test.create(
          new SecretBuilder()
              .withNewMetadata()
              .withNamespace("default")
              .withName("key")
              .addToLabels("widget", "first")
              .endMetadata()
              .build());
      test.advance(Duration.ofSeconds(1));
      assertThat(test.reconciles()).hasSize(runs + 1);
      test.delete(Widget.class, "default", "first");
      test.advance(Duration.ofSeconds(1));
      assertThat(test.get(Widget.class, "default", "first")).isEmpty();
    }
  }

  private static void idiomatic(Manager manager) {
    Buckets buckets = new Buckets();
    // sample: idiomatic
    ControllerBuilder.forType(Widget.class, EventPredicate.generationChanged())
        .owns(ConfigMap.class)
        .finalizer(
            "example.com/bucket",
            (widget, context) -> {
              buckets.delete(widget.getMetadata().getUid());
              return Result.done();
            })
        .objectReconciler(
            (widget, context) -> { // called with the object, and only while it exists
              Owned.apply(context.client(), widget, settings(widget)); // server-side apply
              widget.setStatus(new Widget.Status());
              widget.getStatus().setReady(1);
              context.client().updateStatus(widget);
              return Result.requeueAfter(Duration.ofMinutes(10));
            })
        .register(manager);
    // end
  }

  private static ConfigMap settings(Widget widget) {
    ConfigMap settings = skeleton(widget);
    settings.setData(Map.of("size", String.valueOf(widget.getSpec().getSize())));
    return settings;
  }

  // sample: test
  @Test
  void reconcilesAWidget() {
    try (ReconcilerTest test =
        ReconcilerTest.of(FromControllerRuntimeTest::idiomatic).install(Widget.class)) {
      test.create(Widget.of("default", "first"));
      test.reconcile();
      assertThat(test.get(ConfigMap.class, "default", "first").orElseThrow().getData())
          .containsEntry("size", "1");
      test.advance(Duration.ofMinutes(10)); // virtual time: milliseconds
      test.assertEventuallyStable(); // no writes, no failures
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
              .cache(InformerSpec.of(Secret.class).in(WatchScope.ALL.withLabels("widget")))
              .neverCache(Pod.class)
              .leaderElection(LeaderElectionOptions.of("widget-operator").withNamespace("shop"))
              .healthProbeBindAddress(":8081")
              .metricsBindAddress(":8080");
      try (Manager manager = builder.build()) {
        register(manager);
        System.exit(manager.run() ? 0 : 1);
      }
    }

    // end
  }

  @Test
  void readsByAnIndex() {
    try (GuideServer server = new GuideServer()) {
      Manager manager = server.manager;
      // sample: index
      manager
          .cache(ConfigMap.class)
          .indexer()
          .addIndex("app", map -> List.of(map.labels().getOrDefault("app", "")));
      // end
      manager.start();
      org.awaitility.Awaitility.await().until(() -> manager.cache(ConfigMap.class).hasSynced());
      Client client = manager.client();
      ConfigMap map = skeleton(Widget.of("default", "first"));
      map.getMetadata().setLabels(Map.of("app", "web"));
      client.create(map);
      // sample: list
      List<ConfigMap> web =
          client.list(ConfigMap.class, ListParams.in("default").withIndex("app", "web"));
      // end
      assertThat(web).hasSize(1);
    }
  }
}
