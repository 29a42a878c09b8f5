// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.client.owned.Owned;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.junit.EmbeddedKubernetes;
import dev.windlass.testing.reconciler.CrashAtEveryWrite;
import dev.windlass.testing.reconciler.DropEvents;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.testing.reconciler.StaleCache;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Samples of docs/guides/testing.md that run an operator on virtual time. */
final class ReconcilerTestGuideTest {

  /** The reconciler of the samples: a ConfigMap, then a status, and a look every ten hours. */
  private static final class WidgetReconciler implements ObjectReconciler<Widget> {
    @Override
    public Result reconcile(Widget widget, ReconcileContext context) {
      ConfigMap child = Samples.map("default", widget.getMetadata().getName());
      child.setData(Map.of("size", String.valueOf(widget.getSpec().getSize())));
      Owned.apply(context.client(), widget, child);
      widget.setStatus(new Widget.Status());
      widget.getStatus().setReady(widget.getSpec().getSize());
      context.client().updateStatus(widget);
      return Result.requeueAfter(Duration.ofHours(10));
    }
  }

  @Test
  void runsOneReconcile() {
    // sample: first
    try (ReconcilerTest test =
        ReconcilerTest.of(Widget.class, WidgetReconciler::new, ConfigMap.class)) {
      test.create(Widget.of("default", "first"));
      test.reconcile()
          .assertWrites(
              "create configmaps default/first",
              "update widgets.owned.windlass.dev/status default/first");

      test.edit(Widget.class, "default", "first", widget -> widget.getSpec().setSize(5));
      test.assertEventuallyStable();
      assertThat(test.get(ConfigMap.class, "default", "first").orElseThrow().getData())
          .containsEntry("size", "5");
    }
    // end
  }

  @Test
  void passesTime() {
    try (ReconcilerTest test =
        ReconcilerTest.of(Widget.class, WidgetReconciler::new, ConfigMap.class)) {
      // sample: hours
      test.create(Widget.of("default", "first"));
      test.advance(Duration.ofMinutes(1));
      int before = test.reconciles().size();
      test.advance(Duration.ofHours(10)); // milliseconds
      assertThat(test.reconciles()).hasSizeGreaterThan(before);
      // end
    }
  }

  // sample: crash
  @CrashAtEveryWrite
  @StaleCache
  @DropEvents
  void survivesFaults() {
    try (ReconcilerTest test =
        ReconcilerTest.of(Widget.class, WidgetReconciler::new, ConfigMap.class)) {
      test.create(Widget.of("default", "first"));
      test.assertEventuallyStable();
      test.edit(Widget.class, "default", "first", widget -> widget.getSpec().setSize(5));
      test.assertEventuallyStable();
    }
  }

  // end

  @Test
  void checksAnInvariant() {
    // sample: always
    try (ReconcilerTest test =
        ReconcilerTest.of(ReconcilerTestGuideTest::register)
            .install(Widget.definition())
            .always(
                "a ready widget has its ConfigMap",
                client ->
                    client.resources(Widget.class).inAnyNamespace().list().getItems().stream()
                        .filter(widget -> widget.getStatus() != null)
                        .allMatch(widget -> child(client, widget) != null))) {
      test.create(Widget.of("default", "first"));
      test.assertEventuallyStable();
    }
    // end
  }

  private static ConfigMap child(KubernetesClient client, Widget widget) {
    return client
        .configMaps()
        .inNamespace("default")
        .withName(widget.getMetadata().getName())
        .get();
  }

  private static void register(Manager manager) {
    ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .objectReconciler(new WidgetReconciler())
        .register(manager);
  }

  @Nested
  // sample: annotation
  @EmbeddedKubernetes
  class WidgetOperatorTest {
    @Test
    void makesAConfigMap(TestApiServer server, KubernetesClient kubectl, Manager manager) {
      server.install(Widget.definition());
      register(manager);
      manager.start();
      kubectl.resource(Widget.of("default", "first")).create();
      await().until(() -> kubectl.configMaps().withName("first").get() != null);
    }
  }
  // end
}
