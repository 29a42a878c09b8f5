// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.versions;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** The first version of a Site. This class is not thread-safe. */
@Group("versions.windlass.dev")
@Kind("Site")
@Plural("sites")
@Version("v1")
public final class SiteV1 extends CustomResource<SiteV1Spec, SiteStatus> implements Namespaced {

  private static final long serialVersionUID = 1L;
}
