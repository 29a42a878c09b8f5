// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.windlass.webhook.registration.ClientConfigEntry;
import java.util.List;

/**
 * Creates the JSON patch (RFC 6902) that replaces only CA bundles. A typed update would lose the
 * fields that the model classes do not declare.
 */
final class BundlePatch {

  private BundlePatch() {}

  /**
   * Returns the patch. The server rejects the patch with a conflict if the object has changed since
   * it was read, so the patch never applies to outdated positions of the entries.
   */
  static String of(String resourceVersion, List<ClientConfigEntry> entries, String caBundle) {
    ArrayNode operations = JsonNodeFactory.instance.arrayNode();
    operations
        .addObject()
        .put("op", "replace")
        .put("path", "/metadata/resourceVersion")
        .put("value", resourceVersion);
    for (ClientConfigEntry entry : entries) {
      operations
          .addObject()
          .put("op", "add")
          .put("path", entry.path() + "/caBundle")
          .put("value", caBundle);
    }
    return operations.toString();
  }
}
