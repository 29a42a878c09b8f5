// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.windlass.webhook.registration.ClientConfigEntry;
import java.util.List;

/**
 * Creates a JSON patch (RFC 6902) that replaces only CA bundles. An update with the model classes
 * would remove the fields that these classes do not declare.
 */
final class BundlePatch {

  private BundlePatch() {}

  /**
   * Returns the patch. If the object has changed since it was read, the server rejects the patch
   * with a conflict. The patch therefore never applies to the wrong entries.
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
