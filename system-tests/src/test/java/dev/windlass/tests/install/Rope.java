// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.install;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A type whose CRD is on the class path, as the generator writes it. */
@Group("crd.windlass.dev")
@Version("v1")
public final class Rope extends CustomResource<Void, Void> implements Namespaced {

  private static final long serialVersionUID = 1L;
}
