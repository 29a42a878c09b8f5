// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion;

import java.util.ArrayList;
import java.util.List;

/** Converts tools between their versions. */
public final class ToolVersions {

  /** The first version has neither colours nor weights. */
  public static final Conversion<ToolV2> CONVERSION =
      Conversion.hub(ToolV2.class)
          .spoke(ToolV1.class, ToolVersions::fromV1, ToolVersions::toV1)
          .sameSchema(ToolV2beta1.class);

  private ToolVersions() {}

  /** Splits the address. */
  public static ToolV2 fromV1(ToolV1 tool) {
    ToolV2 hub = new ToolV2();
    if (tool.getSpec() == null) {
      return hub;
    }
    ToolV2.Spec spec = new ToolV2.Spec();
    if (tool.getSpec().address != null) {
      int colon = tool.getSpec().address.lastIndexOf(':');
      if (colon < 0) {
        throw new ConversionException("spec.address has no port");
      }
      spec.host = tool.getSpec().address.substring(0, colon);
      spec.port = Integer.valueOf(tool.getSpec().address.substring(colon + 1));
    }
    spec.size = tool.getSpec().size;
    if (tool.getSpec().parts != null) {
      spec.parts = new ArrayList<>();
      for (String name : tool.getSpec().parts) {
        ToolV2.Part part = new ToolV2.Part();
        part.name = name;
        spec.parts.add(part);
      }
    }
    hub.setSpec(spec);
    return hub;
  }

  /** Joins host and port. */
  public static ToolV1 toV1(ToolV2 hub) {
    ToolV1 tool = new ToolV1();
    if (hub.getSpec() == null) {
      return tool;
    }
    ToolV1.Spec spec = new ToolV1.Spec();
    if (hub.getSpec().host != null) {
      spec.address = hub.getSpec().host + ":" + hub.getSpec().port;
    }
    spec.size = hub.getSpec().size;
    List<ToolV2.Part> parts = hub.getSpec().parts;
    spec.parts = parts == null ? null : parts.stream().map(part -> part.name).toList();
    tool.setSpec(spec);
    return tool;
  }
}
