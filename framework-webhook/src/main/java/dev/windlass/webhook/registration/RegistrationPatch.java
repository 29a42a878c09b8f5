// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.windlass.client.ObjectPatch;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;

/**
 * Creates JSON patches (RFC 6902) that change only CA bundles or a conversion. An update with the
 * model classes would remove the fields that these classes do not declare.
 *
 * <p>If the object has changed since it was read, the server rejects the patch with a conflict. The
 * patch therefore never applies to the wrong entries.
 */
public final class RegistrationPatch {

  private final ArrayNode operations = JsonNodeFactory.instance.arrayNode();

  /** Creates a patch of an object that was read from the server. */
  public RegistrationPatch(GenericKubernetesResource object) {
    operations
        .addObject()
        .put("op", "replace")
        .put("path", "/metadata/resourceVersion")
        .put("value", String.valueOf(object.getMetadata().getResourceVersion()));
  }

  /** Sets the CA certificates that the API server must trust, in Base64, in the given entries. */
  public RegistrationPatch caBundle(List<ClientConfigEntry> entries, String caBundle) {
    for (ClientConfigEntry entry : entries) {
      operations
          .addObject()
          .put("op", "add")
          .put("path", entry.path() + "/caBundle")
          .put("value", caBundle);
    }
    return this;
  }

  /**
   * Replaces the conversion of a custom resource definition.
   *
   * @param desired an object that contains the conversion
   */
  public RegistrationPatch conversion(GenericKubernetesResource desired) {
    operations
        .addObject()
        .put("op", "add")
        .put("path", "/spec/conversion")
        .putPOJO("value", desired.get("spec", "conversion"));
    return this;
  }

  /** Returns the patch. */
  public ObjectPatch build() {
    return ObjectPatch.json(operations.toString());
  }
}
