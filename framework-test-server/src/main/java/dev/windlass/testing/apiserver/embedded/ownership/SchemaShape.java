// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a field of a custom resource, as declared by {@code x-kubernetes-list-type}, {@code
 * x-kubernetes-list-map-keys} and {@code x-kubernetes-map-type} in its schema.
 *
 * @param schema the schema of the field
 * @param metadata the shape of a generic object, which provides the shape of the metadata; null if
 *     this is not the shape of a whole object
 */
record SchemaShape(JsonNode schema, @Nullable FieldShape metadata) implements FieldShape {
  private static final Set<String> ROOT = Set.of("apiVersion", "kind", "metadata");

  @Override
  public FieldShape member(String name) {
    if (metadata != null && name.equals("metadata")) {
      return metadata.member(name);
    }
    JsonNode property = schema.path("properties").path(name);
    return new SchemaShape(
        property.isMissingNode() ? schema.path("additionalProperties") : property, null);
  }

  @Override
  public FieldShape elements() {
    return new SchemaShape(schema.path("items"), null);
  }

  @Override
  public String typeName() {
    String type = schema.path("type").asText("");
    return type.equals("integer") ? "number" : type;
  }

  @Override
  public String keyNames() {
    return schema.path("x-kubernetes-list-map-keys").toString().replace(",", " ");
  }

  @Override
  public boolean allows(String name) {
    boolean root = metadata != null || schema.path("x-kubernetes-embedded-resource").asBoolean();
    return (root && ROOT.contains(name))
        || schema.path("properties").has(name)
        || schema.path("additionalProperties").isObject()
        || schema.path("additionalProperties").asBoolean()
        || schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()
        || !schema.isObject();
  }

  @Override
  public boolean declares(String name) {
    return metadata != null || schema.path("properties").has(name);
  }

  @Override
  public boolean hasElements() {
    return !listType().equals("atomic");
  }

  @Override
  public boolean isAtomicObject() {
    return schema.path("x-kubernetes-map-type").asText().equals("atomic");
  }

  @Override
  public boolean isSet() {
    return listType().equals("set");
  }

  private String listType() {
    return schema.path("x-kubernetes-list-type").asText("atomic");
  }

  @Override
  public @Nullable ObjectNode key(JsonNode element) {
    if (!listType().equals("map")) {
      return null;
    }
    ObjectNode key = Json.object();
    for (JsonNode name : schema.path("x-kubernetes-list-map-keys")) {
      String field = name.asText();
      JsonNode preset = schema.path("items").path("properties").path(field).path("default");
      JsonNode value = element.has(field) ? element.path(field) : preset;
      if (!value.isMissingNode()) {
        key.set(field, value);
      }
    }
    return key.isEmpty() ? null : key;
  }
}
