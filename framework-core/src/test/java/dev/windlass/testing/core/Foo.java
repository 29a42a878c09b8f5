// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.core;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A custom resource with nothing in it. */
@Group("samplecontroller.k8s.io")
@Version("v1alpha1")
@Plural("foos")
public final class Foo extends CustomResource<Void, Void> implements Namespaced {
  private static final long serialVersionUID = 1L;
}
