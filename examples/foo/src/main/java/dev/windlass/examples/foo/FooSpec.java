// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import org.jspecify.annotations.Nullable;

/** The desired state of a Foo. This class is not thread-safe. */
@JsonIgnoreProperties(ignoreUnknown = true) // accepts fields of a newer CRD
public final class FooSpec {

  private @Nullable String deploymentName;

  @Min(1)
  @Max(10)
  private @Nullable Integer replicas;

  /**
   * Returns the name of the Deployment, or null if the Foo does not specify it. The Deployment is
   * in the same namespace as the Foo.
   */
  public @Nullable String getDeploymentName() {
    return deploymentName;
  }

  /** Sets the name of the Deployment. */
  public void setDeploymentName(@Nullable String deploymentName) {
    this.deploymentName = deploymentName;
  }

  /**
   * Returns the desired number of replicas, from 1 to 10, or null if the Foo does not specify it.
   */
  public @Nullable Integer getReplicas() {
    return replicas;
  }

  /** Sets the desired number of replicas. The API server accepts only values from 1 to 10. */
  public void setReplicas(@Nullable Integer replicas) {
    this.replicas = replicas;
  }
}
