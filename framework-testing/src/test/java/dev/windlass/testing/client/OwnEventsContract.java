// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.client.ObjectPatch;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A controller that ignores its own events reconciles each object once, and misses nothing. */
@Timeout(300)
abstract class OwnEventsContract {

  private static final int WIDGETS = 50;

  private final String namespace = "own-events-" + UUID.randomUUID().toString().substring(0, 8);
  private final List<String> reconciles = new CopyOnWriteArrayList<>();
  private final AtomicInteger ignored = new AtomicInteger();
  private @Nullable Manager manager;

  abstract TestApiServer server();

  /** The ways to write that prove which state they replace. */
  enum Way {
    CLIENT {
      @Override
      void write(Manager manager, Client client, Widget widget, ConfigMap child) {
        Owned.apply(client, widget, child);
        client.updateStatus(widget);
      }
    },
    LOCKED_PATCH {
      @Override
      void write(Manager manager, Client client, Widget widget, ConfigMap child) {
        Owned.apply(client, widget, child);
        Widget before = Widget.of("", "");
        before.setMetadata(widget.getMetadata());
        before.setSpec(widget.getSpec());
        client.status().patch(widget, ObjectPatch.mergeFrom(before).withOptimisticLock());
      }
    },
    /** Adds its finalizer before the reconcile. */
    FINALIZER {
      @Override
      void write(Manager manager, Client client, Widget widget, ConfigMap child) {
        CLIENT.write(manager, client, widget, child);
      }
    },
    FABRIC8 {
      @Override
      void write(Manager manager, Client client, Widget widget, ConfigMap child) {
        OwnerReferences.setController(child, widget);
        manager.kubernetesClient().resource(child).create();
        manager.kubernetesClient().resource(widget).updateStatus();
      }
    };

    abstract void write(Manager manager, Client client, Widget widget, ConfigMap child);

    int writes() {
      return this == FINALIZER ? 3 : 2;
    }
  }

  private void reconcile(Way way, Manager manager, Widget widget, ReconcileContext context) {
    String name = widget.getMetadata().getName();
    reconciles.add(name);
    int size = widget.getSpec().getSize();
    ConfigMap child =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name)
            .endMetadata()
            .withData(Map.of("size", Integer.toString(size)))
            .build();
    if (widget.getStatus() == null || widget.getStatus().getReady() != size) {
      Widget.Status status = new Widget.Status();
      status.setReady(size);
      widget.setStatus(status);
      way.write(manager, context.client(), widget, child);
    } else {
      Owned.apply(context.client(), widget, child);
    }
  }

  @AfterEach
  void stop() {
    Manager running = manager;
    if (running != null) {
      running.close();
    }
  }

  private void start(Way way, KubernetesClient kubectl) {
    server().install(Widget.definition());
    kubectl
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .create();
    for (int i = 0; i < WIDGETS; i++) {
      Widget widget = Widget.of(namespace, "w-" + i);
      widget.getSpec().setSize(i + 1);
      kubectl.resource(widget).create();
    }
    Manager made = Manager.builder().config(server().clientConfig()).namespace(namespace).build();
    manager = made;
    ControllerBuilder<Widget> builder = ControllerBuilder.forType(Widget.class);
    if (way == Way.FINALIZER) {
      builder.finalizer("owned.windlass.dev/nothing", (widget, context) -> Result.done());
    }
    builder
        .owns(ConfigMap.class)
        .maxConcurrentReconciles(4)
        .ignoreOwnEvents()
        .listener(
            new ControllerListener() {
              @Override
              public void reconciled(Request request, Outcome outcome, Duration took) {}

              @Override
              public void ownEventIgnored(Request request) {
                ignored.incrementAndGet();
              }
            })
        .objectReconciler(
            (widget, context) -> {
              reconcile(way, made, widget, context);
              return Result.done();
            })
        .register(made);
    made.start();
  }

  /** All events of each object arrive, and none leads to a reconcile. */
  @ParameterizedTest
  @EnumSource
  void reconcilesEachObjectOnce(Way way) {
    try (KubernetesClient kubectl = server().newClient()) {
      start(way, kubectl);
      eventually().untilAsserted(() -> assertThat(ignored).hasValue(way.writes() * WIDGETS));
      assertThat(reconciles).hasSize(WIDGETS).doesNotHaveDuplicates();
    }
  }

  /** Each foreign change leads to a reconcile, although the controller wrote the object before. */
  @Test
  void reconcilesAfterEachForeignChange() {
    try (KubernetesClient kubectl = server().newClient()) {
      start(Way.CLIENT, kubectl);
      eventually().untilAsserted(() -> assertThat(ignored).hasValue(2 * WIDGETS));
      reconciles.clear();
      var child = kubectl.configMaps().inNamespace(namespace).withName("w-1");
      child.edit(map -> new ConfigMapBuilder(map).addToData("size", "foreign").build());
      eventually()
          .untilAsserted(() -> assertThat(child.get().getData()).containsEntry("size", "2"));
      child.delete();
      eventually().untilAsserted(() -> assertThat(child.get()).isNotNull());
      kubectl
          .resource(Widget.of(namespace, "w-2"))
          .edit(
              widget -> {
                widget.getSpec().setSize(77);
                return widget;
              });
      eventually()
          .untilAsserted(
              () ->
                  assertThat(
                          kubectl
                              .resource(Widget.of(namespace, "w-2"))
                              .get()
                              .getStatus()
                              .getReady())
                      .isEqualTo(77));
      assertThat(reconciles).contains("w-1", "w-2").doesNotContain("w-3");
    }
  }
}
