// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.quickstart;

import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * Requests a greeting. The build generates its CRD from this class. This class is not thread-safe.
 */
@Group("quickstart.windlass.dev")
@Version("v1")
public final class Greeting extends CustomResource<GreetingSpec, Void> implements Namespaced {

  private static final long serialVersionUID = 1L;

  /** Returns the desired state. The API server rejects a Greeting without it. */
  @Required
  @Override
  public GreetingSpec getSpec() {
    return super.getSpec();
  }

  @Override
  protected GreetingSpec initSpec() {
    return new GreetingSpec();
  }
}
