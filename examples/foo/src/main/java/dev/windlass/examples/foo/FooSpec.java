// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import org.jspecify.annotations.Nullable;

/** What the user wants. */
public final class FooSpec {

  private @Nullable String deploymentName;
  private @Nullable Integer replicas;

  /** The name of the Deployment, in the namespace of the Foo. */
  public @Nullable String getDeploymentName() {
    return deploymentName;
  }

  /** Sets the name of the Deployment. */
  public void setDeploymentName(@Nullable String deploymentName) {
    this.deploymentName = deploymentName;
  }

  /** How many replicas the Deployment is to have; null to leave that to the Deployment. */
  public @Nullable Integer getReplicas() {
    return replicas;
  }

  /** Sets the number of replicas. */
  public void setReplicas(@Nullable Integer replicas) {
    this.replicas = replicas;
  }
}
