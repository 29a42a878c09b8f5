// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;

/**
 * Compares the schemas of a custom resource definition's versions. With the conversion strategy
 * {@code None}, the API server changes only {@code apiVersion} and removes the fields that the
 * schema of the requested version does not contain. A client that writes such an object deletes
 * these fields.
 */
public final class VersionSchemas {

  private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";

  private VersionSchemas() {}

  /**
   * Returns a field that objects in the storage of the API server can have, but that the API server
   * would remove on conversion to the storage version. Returns empty if there is no such field, or
   * if a webhook converts the objects.
   *
   * @param definition the custom resource definition, with its status
   * @return the field and its version, such as {@code spec.address of v1}
   */
  public static Optional<String> removedField(JsonNode definition) {
    JsonNode spec = definition.path("spec");
    if (spec.path("conversion").path("strategy").asText().equals("Webhook")) {
      return Optional.empty();
    }
    JsonNode storage = null;
    for (JsonNode version : spec.path("versions")) {
      if (version.path("storage").asBoolean()) {
        storage = schema(version);
      }
    }
    for (JsonNode version : spec.path("versions")) {
      String name = version.path("name").asText();
      if (storage != null && isStored(definition, name)) {
        Optional<String> removed = removed(schema(version), storage, "");
        if (removed.isPresent()) {
          return removed.map(field -> field + " of " + name);
        }
      }
    }
    return Optional.empty();
  }

  private static JsonNode schema(JsonNode version) {
    return version.path("schema").path("openAPIV3Schema");
  }

  private static boolean isStored(JsonNode definition, String version) {
    for (JsonNode stored : definition.path("status").path("storedVersions")) {
      if (stored.asText().equals(version)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the path of a value that the first schema allows and that is removed or rejected by the
   * second schema.
   */
  private static Optional<String> removed(JsonNode from, JsonNode to, String path) {
    boolean preserves = to.path(PRESERVE).asBoolean();
    if (!path.isEmpty() && !to.path("type").equals(from.path("type")) && !preserves) {
      return Optional.of(path);
    }
    if (from.path(PRESERVE).asBoolean() && !preserves) {
      return Optional.of(path.isEmpty() ? "an unknown field" : path);
    }
    for (Map.Entry<String, JsonNode> field : from.path("properties").properties()) {
      String below = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
      JsonNode other = to.path("properties").path(field.getKey());
      Optional<String> removed =
          other.isObject()
              ? removed(field.getValue(), other, below)
              : unlisted(field.getValue(), to, below);
      if (removed.isPresent() && !below.equals("metadata")) {
        return removed;
      }
    }
    JsonNode values = from.path("additionalProperties");
    if (values.isObject()) {
      Optional<String> removed = unlisted(values, to, path);
      if (removed.isPresent()) {
        return removed;
      }
    }
    JsonNode items = from.path("items");
    return items.isObject() && !preserves
        ? removed(items, to.path("items"), path)
        : Optional.empty();
  }

  /** Compares the schema of a field with the schema that applies to fields without a property. */
  private static Optional<String> unlisted(JsonNode field, JsonNode to, String path) {
    JsonNode values = to.path("additionalProperties");
    if (to.path(PRESERVE).asBoolean() || values.asBoolean()) {
      return Optional.empty();
    }
    return values.isObject() ? removed(field, values, path) : Optional.of(path);
  }
}
