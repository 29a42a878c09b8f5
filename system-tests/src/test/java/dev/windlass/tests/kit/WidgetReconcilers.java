// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.kit;

import dev.windlass.client.Client;
import dev.windlass.client.DeleteParams;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.object.ObjectKey;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.Map;
import java.util.Optional;

/** Three faults that reconcilers in the field have, each beside the correct way. */
final class WidgetReconcilers {

  private WidgetReconcilers() {}

  /** Creates a child under a generated name and relies on the status to know that it exists. */
  static Result createsWithoutAdoption(Widget widget, ReconcileContext context) {
    if (widget.getStatus() == null) {
      createGenerated(widget, context.client());
      reportReady(widget, context.client());
    }
    return Result.done();
  }

  /** Finds the child that an earlier run has created. */
  static Result findsItsChild(Widget widget, ReconcileContext context) {
    if (context.secondaries(ConfigMap.class).isEmpty()) {
      createGenerated(widget, context.client());
    }
    reportReady(widget, context.client());
    return Result.done();
  }

  private static void createGenerated(Widget widget, Client client) {
    ConfigMap child =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(widget.getMetadata().getNamespace())
            .withGenerateName(widget.getMetadata().getName() + "-")
            .endMetadata()
            .build();
    OwnerReferences.setController(child, widget);
    client.create(child);
  }

  /** Writes the status before the child, and believes it afterwards. */
  static Result reportsTooEarly(Widget widget, ReconcileContext context) {
    if (widget.getStatus() == null) {
      reportReady(widget, context.client());
      keepChild(widget, context.client());
    }
    return Result.done();
  }

  /** Writes the child before the status. */
  static Result reportsAfterwards(Widget widget, ReconcileContext context) {
    keepChild(widget, context.client());
    reportReady(widget, context.client());
    return Result.done();
  }

  /** Deletes the child by its name, whoever has that name meanwhile. */
  static Result deletesByName(Widget widget, ReconcileContext context) {
    Optional<ConfigMap> child = context.secondary(ConfigMap.class);
    if (widget.getSpec().getSize() > 0) {
      keepChild(widget, context.client());
    } else if (child.isPresent()) {
      context.client().delete(ConfigMap.class, ObjectKey.of(child.get()));
    }
    return Result.done();
  }

  /** Deletes exactly the child that it has seen. */
  static Result deletesByUid(Widget widget, ReconcileContext context) {
    Optional<ConfigMap> child = context.secondary(ConfigMap.class);
    if (widget.getSpec().getSize() > 0) {
      keepChild(widget, context.client());
    } else if (child.isPresent()) {
      String uid = child.get().getMetadata().getUid();
      context
          .client()
          .delete(ConfigMap.class, ObjectKey.of(child.get()), DeleteParams.DEFAULT.withUid(uid));
    }
    return Result.done();
  }

  static void keepChild(Widget widget, Client client) {
    ConfigMap child = Samples.map(widget.getMetadata().getNamespace(), childName(widget));
    child.setData(Map.of("size", String.valueOf(widget.getSpec().getSize())));
    Owned.apply(client, widget, child);
  }

  static String childName(Widget widget) {
    return widget.getMetadata().getName() + "-child";
  }

  static void reportReady(Widget widget, Client client) {
    if (widget.getStatus() == null) {
      widget.setStatus(new Widget.Status());
    }
    widget.getStatus().setReady(widget.getSpec().getSize());
    client.updateStatus(widget);
  }
}
