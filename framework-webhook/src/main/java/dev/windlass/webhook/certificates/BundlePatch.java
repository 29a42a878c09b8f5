// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.windlass.client.ObjectPatch;
import dev.windlass.object.ResourceType;
import dev.windlass.webhook.certificates.DecidingVersion.Claim;
import dev.windlass.webhook.registration.ClientConfigEntry;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Creates a JSON patch (RFC 6902) that replaces only CA bundles, the claim or addresses. An update
 * with the model classes would remove the fields that these classes do not declare.
 */
final class BundlePatch {

  private BundlePatch() {}

  /**
   * Returns the patch. If the object has changed since it was read, the server rejects the patch
   * with a conflict. The patch therefore never applies to the wrong entries.
   */
  static ObjectPatch of(
      GenericKubernetesResource object,
      List<ClientConfigEntry> entries,
      String caBundle,
      Optional<Claim> claim) {
    ArrayNode operations = JsonNodeFactory.instance.arrayNode();
    addVersion(object, operations);
    for (ClientConfigEntry entry : entries) {
      operations
          .addObject()
          .put("op", "add")
          .put("path", entry.path() + "/caBundle")
          .put("value", caBundle);
    }
    claim.ifPresent(changed -> DecidingVersion.add(changed, object, operations));
    return ObjectPatch.json(operations.toString());
  }

  /**
   * Returns a patch that replaces each URL for which a Service is desired, and each Service for
   * which a URL is desired. An apply would leave the former address in place if another field
   * manager owns it, and the API server rejects an entry with both. Empty if there is none.
   */
  static Optional<ObjectPatch> ofAddresses(
      ResourceType type, GenericKubernetesResource object, GenericKubernetesResource desired) {
    ArrayNode operations = JsonNodeFactory.instance.arrayNode();
    addVersion(object, operations);
    Map<String, ClientConfigEntry> found = ClientConfigEntry.byName(type, object);
    ClientConfigEntry.byName(type, desired)
        .forEach(
            (name, entry) -> {
              ClientConfigEntry former = found.get(name);
              if (former != null
                  && former.fields().containsKey("url") != entry.fields().containsKey("url")) {
                operations
                    .addObject()
                    .put("op", "replace")
                    .put("path", former.path())
                    .putPOJO("value", entry.fields());
              }
            });
    return operations.size() == 1
        ? Optional.empty()
        : Optional.of(ObjectPatch.json(operations.toString()));
  }

  /** Adds the operation because of which the patch fails if the object has changed. */
  static void addVersion(GenericKubernetesResource object, ArrayNode operations) {
    operations
        .addObject()
        .put("op", "replace")
        .put("path", "/metadata/resourceVersion")
        .put("value", String.valueOf(object.getMetadata().getResourceVersion()));
  }
}
