// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;

/** Converts a custom resource from one version to another, as the CRD specifies. */
public interface VersionConversion {

  /** The conversion strategy {@code None}, which changes only the {@code apiVersion}. */
  VersionConversion NONE =
      (object, apiVersion) -> {
        ObjectNode converted = Json.shallowCopy(object);
        return converted.put("apiVersion", apiVersion);
      };

  /** Converts an object to the given version. Implementations must not modify {@code object}. */
  ObjectNode convert(ObjectNode object, String apiVersion);

  /** Returns whether a conversion calls a webhook. */
  default boolean isRemote() {
    return false;
  }
}
