// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.types.BuiltInSchemas;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a field, as declared by {@code x-kubernetes-list-type}, {@code
 * x-kubernetes-list-map-keys} and {@code x-kubernetes-map-type} in its schema.
 *
 * @param schema the schema of the field
 * @param root whether this is the shape of a whole object
 */
record SchemaShape(JsonNode schema, boolean root) implements FieldShape {
  private static final Set<String> ROOT = Set.of("apiVersion", "kind", "metadata");

  @Override
  public FieldShape member(String name) {
    if (root && name.equals("metadata")) {
      return new SchemaShape(BuiltInSchemas.ofMetadata(), false);
    }
    JsonNode property = schema.path("properties").path(name);
    return new SchemaShape(
        BuiltInSchemas.resolve(
            property.isMissingNode() ? schema.path("additionalProperties") : property),
        false);
  }

  @Override
  public FieldShape elements() {
    return new SchemaShape(BuiltInSchemas.resolve(schema.path("items")), false);
  }

  @Override
  public String typeName() {
    String type = schema.path("type").asText("");
    return type.equals("integer") ? "number" : type;
  }

  @Override
  public boolean allows(String name) {
    boolean resource = root || schema.path("x-kubernetes-embedded-resource").asBoolean();
    return (resource && ROOT.contains(name))
        || schema.path("properties").isEmpty()
        || schema.path("properties").has(name)
        || schema.path("additionalProperties").isObject()
        || schema.path("additionalProperties").asBoolean()
        || schema.path("x-kubernetes-preserve-unknown-fields").asBoolean();
  }

  @Override
  public boolean declares(String name) {
    return root || schema.path("properties").has(name);
  }

  @Override
  public boolean hasElements() {
    return !listType().equals("atomic");
  }

  @SuppressWarnings("ReferenceEquality") // a custom resource's schema can be equal
  @Override
  public boolean isAtomicObject() {
    return schema == BuiltInSchemas.ofAnyObject()
        || schema.path("x-kubernetes-map-type").asText().equals("atomic");
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
      JsonNode preset =
          BuiltInSchemas.resolve(schema.path("items"))
              .path("properties")
              .path(field)
              .path("default");
      JsonNode value = element.has(field) ? element.path(field) : preset;
      if (!value.isMissingNode()) {
        key.set(field, value);
      }
    }
    return key.isEmpty() ? null : key;
  }
}
