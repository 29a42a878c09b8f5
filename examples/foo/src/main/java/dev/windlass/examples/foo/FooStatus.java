// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import org.jspecify.annotations.Nullable;

/** What the operator has seen. */
public final class FooStatus {

  private int availableReplicas;

  /** How many replicas of the Deployment are available. */
  public int getAvailableReplicas() {
    return availableReplicas;
  }

  /** Sets the number of available replicas. */
  public void setAvailableReplicas(int availableReplicas) {
    this.availableReplicas = availableReplicas;
  }

  /** Whether the other status says the same; one that is missing says that nothing is available. */
  boolean isSameAs(@Nullable FooStatus other) {
    return availableReplicas == (other == null ? 0 : other.availableReplicas);
  }
}
