// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.versions;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** A lamp with a host and a port, and a colour, which its first version can't express. */
@Group("lamps.windlass.dev")
@Kind("Lamp")
@Plural("lamps")
@Version("v2")
@SuppressWarnings("serial") // nobody serializes it
public final class LampV2 extends CustomResource<LampV2.Spec, Void> implements Namespaced {

  /**
   * Public fields, which Jackson reads as well. The field {@code extra} of the schema is missing.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class Spec {
    public @Nullable String host;
    public @Nullable Integer port;
    public @Nullable String color;
  }
}
