// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import io.fabric8.crd.generator.annotation.Annotations;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/**
 * A custom resource that requests a Deployment. The build generates its CRD from this class, {@link
 * FooSpec} and {@link FooStatus}. This class is not thread-safe.
 */
@Group("samplecontroller.k8s.io")
@Version("v1alpha1")
@Plural("foos")
// Groups under *.k8s.io need the approval of the Kubernetes API reviewers, or this annotation.
@Annotations("api-approved.kubernetes.io=unapproved, experimental-only; an example of Windlass")
public final class Foo extends CustomResource<FooSpec, FooStatus> implements Namespaced {

  private static final long serialVersionUID = 1L;

  /** Sets the specification; null sets an empty specification. */
  @Override
  public void setSpec(@Nullable FooSpec spec) {
    super.setSpec(spec == null ? new FooSpec() : spec);
  }

  @Override
  protected FooSpec initSpec() {
    return new FooSpec();
  }

  @Override
  protected FooStatus initStatus() {
    return new FooStatus();
  }
}
