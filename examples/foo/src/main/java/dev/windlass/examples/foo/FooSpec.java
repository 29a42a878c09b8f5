// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import org.jspecify.annotations.Nullable;

/** What the user wants. Not thread safe. */
@JsonIgnoreProperties(ignoreUnknown = true) // of a newer CRD
public final class FooSpec {

  private @Nullable String deploymentName;

  @Min(1)
  @Max(10)
  private @Nullable Integer replicas;

  /** The name of the Deployment, in the namespace of the Foo. */
  public @Nullable String getDeploymentName() {
    return deploymentName;
  }

  /** Sets the name of the Deployment. */
  public void setDeploymentName(@Nullable String deploymentName) {
    this.deploymentName = deploymentName;
  }

  /** How many replicas the Deployment is to have, 1 to 10; null to leave that to the Deployment. */
  public @Nullable Integer getReplicas() {
    return replicas;
  }

  /** Sets the number of replicas; the server refuses others than 1 to 10. */
  public void setReplicas(@Nullable Integer replicas) {
    this.replicas = replicas;
  }
}
