// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.owned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.client.owned.Conditions;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.client.owned.Prune;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.testing.reconciler.CrashAtEveryWrite;
import dev.windlass.testing.reconciler.DropEvents;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.testing.reconciler.StaleCache;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;

/**
 * An operator with all helpers goes through a whole life: created, changed, deleted. It comes to
 * the same end wherever its process dies, and whichever event is late or lost, with no child twice
 * and none left over (docs/reliability.md, G1).
 */
final class CrashPointsTest {

  private static final String NAMESPACE = "default";

  /** What exists outside of the cluster, so it survives a process. */
  private final Set<String> buckets = new HashSet<>();

  private ReconcilerTest test = ReconcilerTest.of(this::register).install(Widget.definition());

  @AfterEach
  void close() {
    test.close();
  }

  private void register(Manager manager) {
    ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .finalizer(
            "example.com/bucket",
            (widget, context) -> {
              buckets.remove(widget.getMetadata().getUid());
              return Result.done();
            })
        .objectReconciler(this::reconcile)
        .register(manager);
  }

  private Result reconcile(Widget widget, ReconcileContext context) {
    Client client = context.client();
    buckets.add(widget.getMetadata().getUid());
    List<ConfigMap> wanted = new ArrayList<>();
    for (String part : widget.getSpec().getParts()) {
      wanted.add(part(client, widget, part));
    }
    Prune.prune(client, widget, ConfigMap.class, wanted);
    if (widget.getStatus() == null) {
      widget.setStatus(new Widget.Status());
    }
    widget.getStatus().setReady(wanted.size());
    Conditions.of(widget.getStatus().getConditions(), test.clock())
        .set(
            "Ready",
            Conditions.Status.TRUE,
            "AllPartsExist",
            wanted.size() + " parts",
            widget.getMetadata().getGeneration());
    client.updateStatus(widget);
    return Result.done();
  }

  /** Keeps a part, by server-side apply or by create-or-update. */
  private static ConfigMap part(Client client, Widget widget, String part) {
    ConfigMap map = Samples.map(NAMESPACE, widget.getMetadata().getName() + "-" + part);
    if (part.equals("b")) {
      map.setData(Map.of("part", part));
      return Owned.apply(client, widget, map).object();
    }
    return CreateOrUpdate.createOrUpdate(
            client,
            map,
            found -> {
              found.setData(Map.of("part", part));
              OwnerReferences.setController(found, widget);
            })
        .object();
  }

  private void assertParts(String... parts) {
    test.assertEventuallyStable();
    assertThat(test.list(ConfigMap.class, NAMESPACE))
        .extracting(map -> map.getData().get("part"))
        .containsExactly(parts);
  }

  @CrashAtEveryWrite
  @StaleCache
  @DropEvents
  void comesToTheSameEndWhereverItDies() {
    Widget widget = Widget.of(NAMESPACE, "w");
    widget.getSpec().setParts(List.of("a", "b", "c"));
    test.create(widget);
    assertParts("a", "b", "c");
    test.edit(Widget.class, NAMESPACE, "w", w -> w.getSpec().setParts(List.of("b", "d")));
    assertParts("b", "d");
    assertThat(buckets).hasSize(1);
    test.delete(Widget.class, NAMESPACE, "w");
    assertParts();
    assertThat(buckets).as("what was outside of the cluster").isEmpty();
  }
}
