// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.types.BuiltInSchemas;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;

/**
 * Creates the empty objects with which the server compares new objects, to determine which fields
 * the client has set. As in the real server, an empty object of a built-in kind contains the fields
 * that Go's JSON encoding never omits. Their zero values therefore have no owner. A custom resource
 * has no such fields.
 */
public final class EmptyObjects {

  private EmptyObjects() {}

  /** Returns a new empty object of the given type. */
  public static ObjectNode of(ResourceType type) {
    return type.custom() ? Json.object() : Json.without(empty(BuiltInSchemas.of(type)), "metadata");
  }

  private static ObjectNode empty(JsonNode schema) {
    ObjectNode object = Json.object();
    for (var property : schema.path("properties").properties()) {
      JsonNode field = property.getValue();
      if (BuiltInSchemas.isStruct(field)) {
        object.set(property.getKey(), empty(BuiltInSchemas.resolve(field)));
      } else if (BuiltInSchemas.preset(field) instanceof NullNode) { // a list that is never omitted
        object.putNull(property.getKey());
      }
    }
    for (JsonNode required : schema.path("required")) {
      JsonNode field = schema.path("properties").path(required.asText());
      if (field.path("x-kubernetes-list-type").asText().equals("map")) {
        object.putArray(required.asText());
      } else if (!object.has(required.asText())) {
        object.set(required.asText(), field.get("default")); // null for a list
      }
    }
    return object;
  }
}
