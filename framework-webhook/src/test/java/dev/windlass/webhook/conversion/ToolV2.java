// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;

/** The hub: host and port, and parts with a weight. */
@Group("example.com")
@Kind("Tool")
@Plural("tools")
@Version("v2")
@SuppressWarnings("serial") // nobody serializes it
public final class ToolV2 extends CustomResource<ToolV2.Spec, Void> implements Namespaced {

  /** Public fields, which Jackson reads as well. */
  public static final class Spec {
    public String host;
    public Integer port;
    public Integer size;
    public String color;
    public List<Part> parts;
  }

  /** A part. Its weight is unknown to the first version. */
  public static final class Part {
    public String name;
    public Integer weight;
  }
}
