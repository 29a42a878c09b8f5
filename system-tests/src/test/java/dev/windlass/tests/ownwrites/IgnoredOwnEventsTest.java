// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.ownwrites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.client.ObjectPatch;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.testing.reconciler.Reconciled;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import dev.windlass.tests.requests.HostileChanges;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A controller that ignores its own events reconciles each object once, and misses nothing. */
final class IgnoredOwnEventsTest {

  private static final int WIDGETS = 20;

  /** The rounds of an attack, and the hostile changes in each of them. */
  private static final int ROUNDS = 40;

  private static final int CHANGES = 10;

  /** The ways to write that prove which state they replace. */
  private enum Way {
    CLIENT,
    APPLIED_STATUS,
    LOCKED_PATCH,
    /** Adds its finalizer before the reconcile. */
    FINALIZER,
    FABRIC8
  }

  private static void register(Way way, boolean ignores, Manager manager) {
    ControllerBuilder<Widget> builder = ControllerBuilder.forType(Widget.class);
    if (way == Way.FINALIZER) {
      builder.finalizer("owned.windlass.dev/nothing", (widget, context) -> Result.done());
    }
    if (ignores) {
      builder.ignoreOwnEvents();
    }
    builder
        .owns(ConfigMap.class)
        .maxConcurrentReconciles(4)
        .objectReconciler(
            (widget, context) -> {
              reconcile(way, manager, widget, context);
              return Result.done();
            })
        .register(manager);
  }

  private static void reconcile(Way way, Manager manager, Widget widget, ReconcileContext context) {
    Client client = context.client();
    int size = widget.getSpec().getSize();
    ConfigMap child = Samples.map("default", widget.getMetadata().getName());
    child.setData(Map.of("size", Integer.toString(size)));
    if (widget.getStatus() != null && widget.getStatus().getReady() == size) {
      Owned.apply(client, widget, child);
      return;
    }
    if (way == Way.FABRIC8 && widget.getStatus() != null) {
      way = Way.CLIENT; // the child exists
    }
    Widget before = Widget.of("", "");
    before.setMetadata(widget.getMetadata());
    before.setSpec(widget.getSpec());
    widget.setStatus(new Widget.Status());
    widget.getStatus().setReady(size);
    switch (way) {
      case CLIENT, FINALIZER -> {
        Owned.apply(client, widget, child);
        client.updateStatus(widget);
      }
      case APPLIED_STATUS -> {
        Owned.apply(client, widget, child);
        Widget wanted = Widget.of("default", widget.getMetadata().getName());
        wanted.setSpec(null);
        wanted.setStatus(widget.getStatus());
        client.status().apply(wanted);
      }
      case LOCKED_PATCH -> {
        Owned.apply(client, widget, child);
        client.status().patch(widget, ObjectPatch.mergeFrom(before).withOptimisticLock());
      }
      case FABRIC8 -> {
        OwnerReferences.setController(child, widget);
        manager.kubernetesClient().resource(child).create();
        manager.kubernetesClient().resource(widget).updateStatus();
      }
    }
  }

  private static ReconcilerTest start(Way way) {
    return start(way, true);
  }

  private static ReconcilerTest start(Way way, boolean ignores) {
    ReconcilerTest test =
        ReconcilerTest.of(manager -> register(way, ignores, manager)).install(Widget.definition());
    for (int i = 0; i < WIDGETS; i++) {
      Widget widget = Widget.of("default", "w-" + i);
      widget.getSpec().setSize(i + 1);
      test.create(widget);
    }
    test.advance(Duration.ofMinutes(1));
    return test;
  }

  /** All events of each object arrive, and none leads to a reconcile. */
  @ParameterizedTest
  @EnumSource
  void reconcilesEachObjectOnce(Way way) {
    try (ReconcilerTest test = start(way)) {
      assertThat(test.writes()).hasSize((way == Way.FINALIZER ? 3 : 2) * WIDGETS);
      assertThat(test.reconciles())
          .extracting(Reconciled::object)
          .hasSize(WIDGETS)
          .doesNotHaveDuplicates();
    }
  }

  /** The task may write what it computed from an older state than the next reconcile has read. */
  @Test
  void reconcilesAfterAWriteByATaskOfAnEarlierReconcile() {
    AtomicReference<Client> left = new AtomicReference<>();
    try (ReconcilerTest test =
        ReconcilerTest.of(
                manager ->
                    ControllerBuilder.forType(Widget.class)
                        .ignoreOwnEvents()
                        .objectReconciler(
                            (widget, context) -> {
                              left.set(context.client());
                              return Result.done();
                            })
                        .register(manager))
            .install(Widget.definition())) {
      Widget widget = test.create(Widget.of("default", "w"));
      test.advance(Duration.ofMinutes(1));
      assertThat(test.reconciles()).hasSize(1);
      widget.setStatus(new Widget.Status());
      left.get().updateStatus(widget);
      test.advance(Duration.ofMinutes(1));
      assertThat(test.reconciles()).hasSize(2);
    }
  }

  private static void changeEach(ReconcilerTest test, int more) {
    for (int i = 0; i < WIDGETS; i++) {
      test.edit(
          Widget.class,
          "default",
          "w-" + i,
          widget -> widget.getSpec().setSize(widget.getSpec().getSize() + more));
    }
    test.advance(Duration.ofMinutes(1));
  }

  /** The first change also transfers the ownership of the created fields, the others do not. */
  @ParameterizedTest
  @EnumSource
  void reconcilesEachChangedObjectOnce(Way way) {
    try (ReconcilerTest test = start(way)) {
      for (int change = 1; change <= 3; change++) {
        int reconciles = test.reconciles().size();
        changeEach(test, 100);
        assertThat(test.reconciles().subList(reconciles, test.reconciles().size()))
            .as("change %d", change)
            .extracting(Reconciled::object)
            .hasSize(WIDGETS)
            .doesNotHaveDuplicates();
      }
      assertThat(test.get(ConfigMap.class, "default", "w-1").orElseThrow().getData())
          .containsEntry("size", "302");
    }
  }

  /** The same writes, and more reconciles. */
  @ParameterizedTest
  @EnumSource(names = {"CLIENT", "APPLIED_STATUS"})
  void sendsTheSameWritesWithoutTheOption(Way way) {
    try (ReconcilerTest test = start(way);
        ReconcilerTest without = start(way, false)) {
      changeEach(test, 100);
      changeEach(without, 100);
      assertThat(without.reconciles()).hasSizeGreaterThan(test.reconciles().size());
      assertThat(test.writes()).hasSameSizeAs(without.writes());
    }
  }

  /** Caches merge foreign changes and own writes, because watches break and list anew. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void repairsAllHostileChanges(long seed) {
    AtomicReference<HostileChanges> attack = new AtomicReference<>();
    try (ReconcilerTest test =
        ReconcilerTest.of(manager -> HostileChanges.register(manager, Optional.of(attack.get())))
            .install(Widget.definition())) {
      HostileChanges hostile =
          new HostileChanges(
              "default",
              5,
              new Random(seed),
              test.kubernetesClient(),
              () -> {
                test.server().compact();
                test.server().dropWatches();
              });
      attack.set(hostile);
      hostile.create();
      for (int round = 0; round < ROUNDS; round++) {
        hostile.begin(CHANGES);
        while (!hostile.isOver()) {
          hostile.names().forEach(name -> hostile.strike(name, 10));
          test.advance(Duration.ofSeconds(1));
        }
        test.advance(Duration.ofHours(1));
        hostile.assertRepaired();
      }
    }
  }

  /** Each foreign change leads to a reconcile, although the controller wrote the object before. */
  @Test
  void reconcilesAfterEachForeignChange() {
    try (ReconcilerTest test = start(Way.CLIENT)) {
      test.edit(ConfigMap.class, "default", "w-1", map -> map.setData(Map.of("size", "foreign")));
      assertThat(test.reconcile().object()).isEqualTo("default/w-1");
      assertThat(test.get(ConfigMap.class, "default", "w-1").orElseThrow().getData())
          .containsEntry("size", "2");
      test.delete(ConfigMap.class, "default", "w-1");
      test.edit(Widget.class, "default", "w-2", widget -> widget.getSpec().setSize(77));
      List<String> reconciled = List.of(test.reconcile().object(), test.reconcile().object());
      assertThat(reconciled).containsExactlyInAnyOrder("default/w-1", "default/w-2");
      assertThat(test.get(ConfigMap.class, "default", "w-1")).isPresent();
      assertThat(test.get(Widget.class, "default", "w-2").orElseThrow().getStatus().getReady())
          .isEqualTo(77);
    }
  }
}
