// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.quickstart;

import dev.windlass.client.owned.Owned;
import dev.windlass.controller.ControllerBuilder;
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
        .owns(ConfigMap.class) // a change of one of them is a reason to reconcile, too
        .objectReconciler((greeting, context) -> reconcile(greeting, manager))
        .register(manager);
  }

  private static Result reconcile(Greeting greeting, Manager manager) {
    ConfigMap wanted =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(greeting.getMetadata().getNamespace())
            .withName(greeting.getMetadata().getName())
            .endMetadata()
            .addToData("greeting", "Hello, " + greeting.getSpec().getName() + "!")
            .build();
    // It goes when the Greeting goes. Sends nothing if it is so already, and takes nobody else's.
    Owned.apply(manager.client(), greeting, wanted);
    return Result.done(); // or requeueAfter(d), or throw: tried again with back-off
  }
}
