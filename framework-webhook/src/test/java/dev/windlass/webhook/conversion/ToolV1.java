// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;

/** The first version: one address, and parts that are only names. */
@Group("example.com")
@Kind("Tool")
@Plural("tools")
@Version("v1")
@SuppressWarnings("serial") // nobody serializes it
public final class ToolV1 extends CustomResource<ToolV1.Spec, Void> implements Namespaced {

  /** Public fields, which Jackson reads as well. */
  public static final class Spec {
    public String address;
    public Integer size;
    public List<String> parts;
  }
}
