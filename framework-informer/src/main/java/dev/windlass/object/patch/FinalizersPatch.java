// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;

/** Creates the JSON patch (RFC 6902) that replaces only an object's finalizers. */
public final class FinalizersPatch {

  private FinalizersPatch() {}

  /**
   * Returns the patch. It contains the object's resourceVersion, so the server rejects it with a
   * conflict if the object has changed since it was read.
   *
   * @param object the object as it was read, with a resourceVersion
   * @param finalizers the complete new list, in order
   * @throws IllegalArgumentException if the object does not have a resourceVersion
   */
  public static String of(HasMetadata object, List<String> finalizers) {
    String version = object.getMetadata().getResourceVersion();
    if (version == null || version.isEmpty()) {
      throw new IllegalArgumentException(
          object.getKind()
              + " "
              + ObjectKey.of(object)
              + " has no resourceVersion; read it from the server first");
    }
    ArrayNode operations = JsonNodeFactory.instance.arrayNode();
    operations
        .addObject()
        .put("op", "replace")
        .put("path", "/metadata/resourceVersion")
        .put("value", version);
    ArrayNode list =
        operations
            .addObject()
            .put("op", "add")
            .put("path", "/metadata/finalizers")
            .putArray("value");
    finalizers.forEach(list::add);
    return operations.toString();
  }
}
