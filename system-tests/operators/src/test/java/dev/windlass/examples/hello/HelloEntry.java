// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.manager.Manager;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;

/** Opens the Hello operator to tests in other packages. */
public final class HelloEntry {

  private HelloEntry() {}

  /** The variant that asks how its Pod is. */
  public static ControllerBuilder<Hello> asking(Manager manager) {
    return Variant.REQUEUE.controller(manager);
  }

  /** The variant that hears of its Pod. */
  public static ControllerBuilder<Hello> owning(Manager manager) {
    return Variant.OWNS.controller(manager);
  }

  /** As users apply it. */
  public static CustomResourceDefinition crd() {
    return HelloArtifacts.crd();
  }

  /** The sample, {@code hello-sample}. */
  public static Hello sample(String namespace) {
    return HelloArtifacts.sample(namespace);
  }
}
