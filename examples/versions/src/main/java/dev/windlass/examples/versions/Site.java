// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.versions;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * The current version of a Site. It is also the hub of the {@linkplain SiteVersions conversion}.
 * This class is not thread-safe.
 */
@Group("versions.windlass.dev")
@Plural("sites")
@Version("v2")
public final class Site extends CustomResource<SiteSpec, SiteStatus> implements Namespaced {

  private static final long serialVersionUID = 1L;
}
