// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** The custom resource: asks for a Deployment. */
@Group("samplecontroller.k8s.io")
@Version("v1alpha1")
@Plural("foos")
public final class Foo extends CustomResource<FooSpec, FooStatus> implements Namespaced {

  private static final long serialVersionUID = 1L;

  @Override
  protected FooSpec initSpec() {
    return new FooSpec();
  }

  @Override
  protected FooStatus initStatus() {
    return new FooStatus();
  }
}
