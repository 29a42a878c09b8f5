// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.windlass.webhook.conversion.Conversion;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;

/** Two versions of a gadget whose classes ignore unknown fields, and their conversion. */
final class Gadgets {

  /** The second version has a title instead of a name, and a lock, which the first one lacks. */
  static final Conversion<V2> CONVERSION =
      Conversion.hub(V2.class).spoke(V1.class, Gadgets::toHub, Gadgets::fromHub);

  private Gadgets() {}

  /** The first version. */
  @Group("example.com")
  @Kind("Gadget")
  @Plural("gadgets")
  @Version("v1")
  @SuppressWarnings("serial") // nobody serializes it
  static final class V1 extends CustomResource<SpecV1, Void> {}

  /** The hub. */
  @Group("example.com")
  @Kind("Gadget")
  @Plural("gadgets")
  @Version("v2")
  @SuppressWarnings("serial") // nobody serializes it
  static final class V2 extends CustomResource<SpecV2, Void> {}

  @JsonIgnoreProperties(ignoreUnknown = true)
  static final class SpecV1 {
    public String name;
    public Door door;
    public List<Door> doors;
    public Handle handle;

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public List<String> tags;
  }

  @JsonIgnoreProperties(ignoreUnknown = true)
  static final class SpecV2 {
    public String title;
    public Door door;
    public List<Door> doors;
    public Handle handle;
    public Door lock;

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public List<String> labels;
  }

  /** A part of both versions, which explicitly ignores a field. */
  @JsonIgnoreProperties(value = "hinge", ignoreUnknown = true)
  static final class Door {
    public String color;
    public String hinge;
  }

  /** A part of both versions. Jackson buffers the unknown fields of a record. */
  record Handle(String shape) {}

  private static V2 toHub(V1 gadget) {
    V2 hub = new V2();
    if (gadget.getSpec() != null) {
      SpecV2 spec = new SpecV2();
      spec.title = gadget.getSpec().name;
      spec.door = gadget.getSpec().door;
      spec.doors = gadget.getSpec().doors;
      spec.handle = gadget.getSpec().handle;
      spec.labels = gadget.getSpec().tags;
      hub.setSpec(spec);
    }
    return hub;
  }

  private static V1 fromHub(V2 hub) {
    V1 gadget = new V1();
    if (hub.getSpec() != null) {
      SpecV1 spec = new SpecV1();
      spec.name = hub.getSpec().title;
      spec.door = hub.getSpec().door;
      spec.doors = hub.getSpec().doors;
      spec.handle = hub.getSpec().handle;
      spec.tags = hub.getSpec().labels;
      gadget.setSpec(spec);
    }
    return gadget;
  }
}
