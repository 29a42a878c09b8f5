// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.frameworks;

import dev.windlass.client.ObjectPatch;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.manager.Manager;
import io.fabric8.kubernetes.api.model.ConfigMap;

/** Adds the label {@code checked} to each ConfigMap with the label {@code check}. */
public final class Labeller {

  private Labeller() {}

  /** Registers the controller. */
  public static void register(Manager manager) {
    ControllerBuilder.forType(
            InformerSpec.of(ConfigMap.class).in(WatchScope.ALL.withLabels("check")))
        .named("labeller")
        .objectReconciler(Labeller::reconcile)
        .register(manager);
  }

  private static Result reconcile(ConfigMap map, ReconcileContext context) {
    if (!map.getMetadata().getLabels().containsKey("checked")) {
      context
          .client()
          .patch(map, ObjectPatch.merge("{\"metadata\": {\"labels\": {\"checked\": \"true\"}}}"));
    }
    return Result.done();
  }
}
