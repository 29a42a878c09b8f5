// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.quickstart;

import dev.windlass.client.owned.Owned;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;

/** Keeps a ConfigMap with a greeting for each Greeting. */
final class Quickstart {
  public static void main(String[] args) {
    try (Manager manager = Manager.builder().build()) { // kubeconfig or in-cluster
      register(manager);
      System.exit(manager.run() ? 0 : 1); // until SIGTERM
    }
  }

  static void register(Manager manager) {
    ControllerBuilder.forType(Greeting.class)
        .owns(ConfigMap.class) // changes to these also trigger a reconcile
        .objectReconciler(Quickstart::reconcile)
        .register(manager);
  }

  private static Result reconcile(Greeting greeting, ReconcileContext context) {
    ConfigMap wanted =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(greeting.getMetadata().getNamespace())
            .withName(greeting.getMetadata().getName())
            .endMetadata()
            .addToData("greeting", "Hello, " + greeting.getSpec().getName() + "!")
            .build();
    Owned.apply(context.client(), greeting, wanted); // sent if it differs; owned by the Greeting
    return Result.done(); // or requeueAfter(d), or throw: retried with back-off
  }
}
