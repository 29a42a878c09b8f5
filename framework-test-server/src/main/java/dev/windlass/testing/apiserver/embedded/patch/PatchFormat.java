// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.util.ArrayList;
import java.util.List;

/** The patch formats that the server accepts. */
public enum PatchFormat {
  /** The JSON patch format of RFC 6902. */
  JSON("application/json-patch+json") {
    @Override
    JsonNode patched(JsonNode object, JsonNode patch, JsonNode schema) {
      return JsonPatch.apply(object, patch);
    }
  },

  /** The JSON merge patch format of RFC 7386. */
  MERGE("application/merge-patch+json") {
    @Override
    JsonNode patched(JsonNode object, JsonNode patch, JsonNode schema) {
      return JsonMergePatch.apply(object, patch);
    }
  },

  /**
   * The strategic merge patch format of Kubernetes, which merges lists of objects by a key. It is
   * available only for built-in kinds.
   */
  STRATEGIC("application/strategic-merge-patch+json") {
    @Override
    JsonNode patched(JsonNode object, JsonNode patch, JsonNode schema) {
      return StrategicMergePatch.apply(object, patch, schema);
    }
  },

  /**
   * The format of the configuration in a server-side apply request; see {@code ServerSideApply}.
   */
  APPLY("application/apply-patch+yaml") {
    @Override
    JsonNode patched(JsonNode object, JsonNode patch, JsonNode schema) {
      throw new IllegalStateException("an apply cannot be executed without the field owner");
    }
  };

  private final String mediaType;

  PatchFormat(String mediaType) {
    this.mediaType = mediaType;
  }

  /**
   * Returns the format that a {@code Content-Type} header specifies. Rejects a content type with
   * 415 if it is unknown, or if the type does not support the format.
   */
  public static PatchFormat of(String contentType, ResourceType type) {
    String mediaType = contentType.split(";", 2)[0].trim();
    List<String> accepted = new ArrayList<>();
    for (PatchFormat format : values()) {
      if (format != STRATEGIC || !type.custom()) {
        accepted.add(format.mediaType);
        if (format.mediaType.equals(mediaType)) {
          return format;
        }
      }
    }
    throw StatusException.unsupportedMediaType(accepted);
  }

  /**
   * Returns {@code object} with the patch applied. No argument is modified.
   *
   * @param schema the schema of the object
   */
  public ObjectNode apply(ObjectNode object, JsonNode patch, JsonNode schema) {
    if (patched(object, patch, schema) instanceof ObjectNode result) {
      return result;
    }
    throw StatusException.badRequest("the result of the patch is not an object");
  }

  abstract JsonNode patched(JsonNode object, JsonNode patch, JsonNode schema);
}
