// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import dev.windlass.client.Client;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.Prune;
import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * An operator as users write it: a finalizer for something outside of the cluster, owned children,
 * and a status. It checks the promises that a reconciler can see.
 */
final class PartsOperator {

  static final String FINALIZER = "example.com/bucket";

  /** A fault of the operator, which shows that a run finds it. */
  enum Bug {
    NONE,
    NO_STATUS
  }

  private final Violations violations;
  private final WidgetChanges changes;
  private final Bug bug;
  private final Consumer<ReconcileContext> slow;

  /** What exists outside of the cluster, by the uid of the widget. It survives a process. */
  private final Set<String> buckets;

  private final Set<ObjectKey> running = new HashSet<>();
  private Runnable synced = () -> {};

  /**
   * Creates an operator.
   *
   * @param slow what takes time at the beginning of a reconcile
   */
  PartsOperator(
      Violations violations,
      WidgetChanges changes,
      Set<String> buckets,
      Bug bug,
      Consumer<ReconcileContext> slow) {
    this.slow = slow;
    this.changes = changes;
    this.violations = violations;
    this.bug = bug;
    this.buckets = buckets;
  }

  Controller register(Manager manager) {
    Controller controller =
        ControllerBuilder.forType(Widget.class)
            .owns(ConfigMap.class)
            .maxConcurrentReconciles(2)
            .finalizer(FINALIZER, this::deleteBucket)
            .objectReconciler(this::reconcile)
            .register(manager);
    manager.cache(Widget.class).addEventHandler(new OrderedEvents(violations));
    synced =
        () ->
            violations.check(
                manager.informers().informers().stream().allMatch(i -> i.hasSynced()),
                "P4: a reconcile started before the caches had synced");
    return controller;
  }

  private Result deleteBucket(Widget widget, ReconcileContext context) {
    changes.reconciles(widget.getMetadata().getName());
    buckets.remove(widget.getMetadata().getUid());
    return Result.done();
  }

  private Result reconcile(Widget widget, ReconcileContext context) {
    ObjectKey key = ObjectKey.of(widget);
    changes.reconciles(key.name());
    violations.check(running.add(key), "P3: two reconciles of " + key + " at the same time");
    try {
      synced.run();
      slow.accept(context);
      keepParts(widget, context.client());
      return Result.done();
    } finally {
      running.remove(key);
    }
  }

  private void keepParts(Widget widget, Client client) {
    List<ConfigMap> wanted = new ArrayList<>();
    for (ConfigMap part : parts(widget)) {
      ConfigMap written = Owned.apply(client, widget, part).object();
      wanted.add(written);
      seesItsWrite(client, written);
    }
    Prune.prune(client, widget, ConfigMap.class, wanted);
    if (widget.getStatus() == null) {
      widget.setStatus(new Widget.Status());
    }
    widget.getStatus().setReady(wanted.size());
    if (bug != Bug.NO_STATUS) {
      client.updateStatus(widget);
    }
    if (exists(client, widget)) {
      buckets.add(widget.getMetadata().getUid());
    }
  }

  /**
   * Asks the server: a cache that lags behind, as that of a replica whose watch was cut does, may
   * still show a widget that has been cleaned up, and nobody would clean up after it again.
   */
  private boolean exists(Client client, Widget widget) {
    return buckets.contains(widget.getMetadata().getUid())
        || client
            .uncached()
            .get(Widget.class, ObjectKey.of(widget))
            .map(stored -> stored.getMetadata().getUid())
            .filter(widget.getMetadata().getUid()::equals)
            .isPresent();
  }

  /** Returns the children of a widget: as many as its size, each with that size. */
  static List<ConfigMap> parts(Widget widget) {
    List<ConfigMap> parts = new ArrayList<>();
    for (int i = 0; i < widget.getSpec().getSize(); i++) {
      ConfigMap part = Samples.map("default", widget.getMetadata().getName() + "-" + i);
      part.setData(Map.of("size", String.valueOf(widget.getSpec().getSize())));
      parts.add(part);
    }
    return parts;
  }

  private void seesItsWrite(Client client, ConfigMap written) {
    client
        .get(ConfigMap.class, ObjectKey.of(written))
        .ifPresent(
            read ->
                violations.check(
                    version(read) >= version(written),
                    "P11: a read after the write of version %d of %s showed version %d"
                        .formatted(version(written), ObjectKey.of(written), version(read))));
  }

  private static long version(ConfigMap map) {
    return Long.parseLong(map.getMetadata().getResourceVersion());
  }
}
