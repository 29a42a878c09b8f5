// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Sets the absent fields of a custom resource to the defaults in its schema. */
public final class SchemaDefaults {
  private SchemaDefaults() {}

  /**
   * Sets defaults in place, and removes nulls that the schema does not allow. This method also
   * processes the contents of default values.
   */
  public static void apply(JsonNode schema, JsonNode value) {
    if (value instanceof ObjectNode object) {
      for (var property : schema.path("properties").properties()) {
        fill(object, property.getKey(), property.getValue());
      }
      for (var field : object.properties()) {
        JsonNode child = schema.path("properties").path(field.getKey());
        apply(
            child.isMissingNode() ? schema.path("additionalProperties") : child, field.getValue());
      }
    } else {
      for (JsonNode item : value) {
        apply(schema.path("items"), item);
      }
    }
  }

  private static void fill(ObjectNode object, String field, JsonNode schema) {
    JsonNode value = object.get(field);
    JsonNode preset = schema.get("default");
    boolean absent = value == null || (value.isNull() && !schema.path("nullable").asBoolean());
    if (absent && preset != null) {
      object.set(field, preset.deepCopy());
    } else if (absent) {
      object.remove(field);
    }
  }
}
