// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The code and the claims of {@code docs/guides/debugging.md}. */
@Timeout(60)
final class DebuggingGuideTest {

  private static final Logger log = LoggerFactory.getLogger(DebuggingGuideTest.class);

  @AutoClose private final GuideServer server = new GuideServer();
  private final Manager manager = server.manager;
  private final Queue<String> reasons = new ConcurrentLinkedQueue<>();

  private Result reconcile(Widget widget, ReconcileContext context) {
    // sample: reasons
    log.info("Reconciling because of {}, attempt {}", context.reasons(), context.attempt() + 1);
    // end
    reasons.addAll(context.reasons());
    return Result.done();
  }

  private ControllerBuilder<Widget> loggingEvents() {
    // sample: predicate
    ControllerBuilder<Widget> builder =
        ControllerBuilder.forType(
            Widget.class,
            event -> {
              log.info("{} {} {}", event.type(), event.key(), event.object().resourceVersion());
              return true;
            },
            EventPredicate.generationChanged());
    // end
    return builder;
  }

  @Test
  void statesTheReasons() {
    loggingEvents().owns(ConfigMap.class).objectReconciler(this::reconcile).register(manager);
    manager.start();
    server.create("w");
    await().until(() -> !reasons.isEmpty());
    assertThat(reasons).allMatch(reason -> reason.contains("default/w"));
  }

  @Test
  void isNotTriggeredByAnOwnedObjectWithoutAController() {
    ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .objectReconciler(this::reconcile)
        .register(manager);
    manager.start();
    Widget widget = server.create("w");
    await().until(() -> reasons.size() == 1);
    ConfigMap plain = Samples.map("default", "plain");
    OwnerReferences.setOwner(plain, widget);
    server.kubectl.resource(plain).create();
    ConfigMap controlled = Samples.map("default", "controlled");
    OwnerReferences.setController(controlled, widget);
    server.kubectl.resource(controlled).create();
    await().until(() -> reasons.size() > 1);
    assertThat(reasons).noneMatch(reason -> reason.contains("plain"));
  }

  @Test
  void aGenerationNeverChangesInAConfigMap() {
    ControllerBuilder<ConfigMap> builder =
        ControllerBuilder.forType(ConfigMap.class, EventPredicate.generationChanged())
            .objectReconciler((map, context) -> Result.done());
    assertThatThrownBy(() -> builder.register(manager))
        .hasMessageContaining("a ConfigMap has no metadata.generation");
  }

  @Test
  void anUpdateOfTheObjectIgnoresItsStatus() {
    Widget widget = server.create("w");
    widget.setStatus(new Widget.Status());
    widget.getStatus().setReady(3);
    widget.getSpec().setSize(2);
    server.client.update(widget);
    assertThat(server.get("w").getStatus()).isNull();
    assertThat(server.get("w").getSpec().getSize()).isEqualTo(2);
  }

  @Test
  void aSecondWriteOfTheSameObjectIsAConflict() {
    Widget widget = server.create("w");
    widget.setStatus(new Widget.Status());
    widget.getStatus().setReady(1);
    Client client = server.client;
    // sample: twice
    Widget written = client.updateStatus(widget); // the server's new version
    written.getStatus().setReady(2);
    client.updateStatus(written); // and not client.updateStatus(widget)
    // end
    assertThat(server.get("w").getStatus().getReady()).isEqualTo(2);
    widget.getStatus().setReady(4);
    assertThatThrownBy(() -> client.updateStatus(widget)).isInstanceOf(ConflictException.class);
  }

  @Test
  void aStatusNeedsTheSubresource() {
    try (EmbeddedApiServer other = EmbeddedApiServer.start();
        KubernetesClient kubectl = other.newClient()) {
      CustomResourceDefinition definition = Widget.definition();
      definition.getSpec().getVersions().get(0).setSubresources(null);
      other.install(definition);
      Manager second = Manager.builder().client(kubectl).build();
      Widget widget = kubectl.resource(Widget.of("default", "w")).create();
      widget.setStatus(new Widget.Status());
      assertThatThrownBy(() -> second.client().updateStatus(widget))
          .isExactlyInstanceOf(ApiException.class)
          .hasMessageContaining("its type has no subresource status");
      second.close();
    }
  }

  @Test
  void findsAReconcilerThatNeverRests() {
    try (ReconcilerTest test =
        ReconcilerTest.of(
                manager ->
                    ControllerBuilder.forType(Widget.class)
                        .objectReconciler(
                            (widget, context) -> {
                              widget.setStatus(new Widget.Status());
                              widget.getStatus().setReady((int) System.nanoTime());
                              context.client().updateStatus(widget);
                              return Result.done();
                            })
                        .register(manager))
            .install(Widget.class)) {
      test.create(Widget.of("default", "w"));
      assertThatThrownBy(test::assertEventuallyStable).isInstanceOf(AssertionError.class);
    }
  }
}
