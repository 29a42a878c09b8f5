// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.manager.Manager;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.time.Duration;

/** Opens the Foo operator to tests in other packages. */
public final class FooEntry {

  private FooEntry() {}

  /** The operator, without the resync: whatever it does is due to an event. */
  public static ControllerBuilder<Foo> withoutResync(Manager manager) {
    return FooOperator.builder(manager).resync(Duration.ofHours(10));
  }

  /** As users apply it. */
  public static CustomResourceDefinition crd() {
    return FooArtifacts.crd();
  }

  /** The sample, {@code example-foo}. */
  public static Foo example(String namespace) {
    return FooArtifacts.exampleFoo(namespace);
  }
}
