// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.client.Client;
import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.real.AuditEvent;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testing.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What it costs to bring about a world, and to look at one that is as it should be (P11, P12). */
final class ConvergeIT {

  private static final int WIDGETS = 1_000;
  private static final int WORKERS = 8;

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder().audit(true));

  /** As one writes it who trusts the client: read, compare, write what differs. */
  private record Converge(Client client) implements Reconciler {
    @Override
    public Result reconcile(Request request, ReconcileContext context) {
      Optional<Widget> found = client.get(Widget.class, request.key());
      if (found.isEmpty()) {
        return Result.done();
      }
      Widget widget = found.get();
      String size = Integer.toString(widget.getSpec().getSize());
      Optional<ConfigMap> child = client.get(ConfigMap.class, request.key());
      if (child.isEmpty()) {
        client.create(child(widget, size));
      } else if (!Map.of("size", size).equals(child.get().getData())) {
        child.get().setData(Map.of("size", size));
        client.update(child.get());
      }
      if (widget.getStatus() == null
          || widget.getStatus().getReady() != widget.getSpec().getSize()) {
        Widget.Status status = new Widget.Status();
        status.setReady(widget.getSpec().getSize());
        widget.setStatus(status);
        client.updateStatus(widget);
      }
      return Result.done();
    }

    private static ConfigMap child(Widget widget, String size) {
      return new ConfigMapBuilder()
          .withMetadata(
              new ObjectMetaBuilder()
                  .withNamespace(widget.getMetadata().getNamespace())
                  .withName(widget.getMetadata().getName())
                  .withOwnerReferences(
                      new OwnerReferenceBuilder()
                          .withApiVersion(widget.getApiVersion())
                          .withKind(widget.getKind())
                          .withName(widget.getMetadata().getName())
                          .withUid(widget.getMetadata().getUid())
                          .withController(true)
                          .build())
                  .build())
          .withData(Map.of("size", size))
          .build();
    }
  }

  @Test
  void writesEachThingOnceAndNothingAfterARestart() {
    kubernetes.server().install(Widget.definition());
    try (KubernetesClient kubectl = kubernetes.server().newClient()) {
      IntStream.range(0, WIDGETS)
          .parallel()
          .forEach(i -> kubectl.resource(widget("w-" + i, i)).create());
    }
    int before = writes().size();
    run();
    List<AuditEvent> first = writes();
    System.out.printf("%,d writes for %,d widgets%n", first.size() - before, WIDGETS);
    assertThat(first.subList(before, first.size()))
        .allSatisfy(write -> assertThat(write.code()).isBetween(200, 201))
        .filteredOn(write -> write.verb().equals("create"))
        .hasSize(WIDGETS);
    assertThat(first.size() - before).isEqualTo(2 * WIDGETS);
    run();
    assertThat(writes()).as("after a restart").hasSize(first.size());
  }

  /** Until each widget has been reconciled, and its last event has been dealt with. */
  private static void run() {
    Set<ObjectKey> seen = ConcurrentHashMap.newKeySet();
    try (KubernetesClient client = kubernetes.server().newClient();
        Manager manager = Manager.builder().client(client).build()) {
      Controller controller =
          ControllerBuilder.forType(Widget.class)
              .owns(ConfigMap.class)
              .maxConcurrentReconciles(WORKERS)
              .reconciler(new Converge(manager.client()))
              .listener((request, outcome, took) -> seen.add(request.key()))
              .register(manager);
      manager.start();
      await()
          .atMost(Duration.ofMinutes(3))
          .during(Duration.ofSeconds(3))
          .until(
              () ->
                  seen.size() == WIDGETS
                      && controller.queueLengths().values().stream().allMatch(n -> n == 0));
    }
  }

  private static List<AuditEvent> writes() {
    return kubernetes.server().auditEvents().stream()
        .filter(AuditEvent::isWrite)
        .filter(
            event ->
                event.resource().equals("widgets")
                    || (event.resource().equals("configmaps")
                        && event.namespace().equals("default")))
        .toList();
  }

  private static Widget widget(String name, int size) {
    Widget widget = Widget.of("default", name);
    widget.getSpec().setSize(size + 1);
    return widget;
  }
}
