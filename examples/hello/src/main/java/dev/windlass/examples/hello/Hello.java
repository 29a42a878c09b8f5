// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/**
 * A custom resource that requests a Pod. The Pod prints "Hello" a given number of times. The build
 * generates the CRD from this class. This class is not thread-safe.
 */
@Group("myapp.whichxjy.com")
@Version("v1")
@Plural("hellos")
public final class Hello extends CustomResource<HelloSpec, HelloStatus> implements Namespaced {

  private static final long serialVersionUID = 1L;

  /** Sets the specification; null sets an empty specification. */
  @Override
  public void setSpec(@Nullable HelloSpec spec) {
    super.setSpec(spec == null ? new HelloSpec() : spec);
  }

  @Override
  protected HelloSpec initSpec() {
    return new HelloSpec();
  }

  @Override
  protected HelloStatus initStatus() {
    return new HelloStatus();
  }
}
