// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Defines the CEL types that Kubernetes adds, and maps CEL types to Java classes. */
final class JavaTypes {
  static final OpaqueType URL = OpaqueType.create("kubernetes.URL");
  static final OpaqueType QUANTITY = OpaqueType.create("kubernetes.Quantity");
  static final OpaqueType IP = OpaqueType.create("net.IP");
  static final OpaqueType CIDR = OpaqueType.create("net.CIDR");
  static final OpaqueType FORMAT = OpaqueType.create("kubernetes.NamedFormat");
  static final ListType STRINGS = ListType.create(SimpleType.STRING);

  private static final Map<String, Class<?>> CLASSES =
      Map.of(
          URL.name(), URI.class,
          QUANTITY.name(), Quantity.class,
          IP.name(), IpAddress.class,
          CIDR.name(), Cidr.class,
          FORMAT.name(), NamedFormat.class,
          SimpleType.STRING.name(), String.class,
          SimpleType.INT.name(), Long.class,
          SimpleType.DOUBLE.name(), Double.class,
          SimpleType.DURATION.name(), Duration.class);

  private JavaTypes() {}

  static Class<?> of(CelType type) {
    return type instanceof ListType ? List.class : CLASSES.getOrDefault(type.name(), Object.class);
  }
}
