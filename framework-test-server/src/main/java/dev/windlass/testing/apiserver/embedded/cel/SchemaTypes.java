// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The CEL types of the values that a schema describes. A value whose schema does not declare a type
 * has no CEL type, so expressions cannot refer to it.
 */
@SuppressWarnings("Immutable") // it is complete before CEL uses it
final class SchemaTypes implements CelTypeProvider {
  private final Map<String, CelType> structs = new LinkedHashMap<>();

  /**
   * Returns the CEL type of the values that a schema describes, or empty if they have no CEL type.
   *
   * @param name a unique name, which becomes the name of the type if the values are objects
   */
  Optional<CelType> type(JsonNode schema, String name) {
    if (isIntOrString(schema)) {
      return Optional.of(SimpleType.DYN);
    }
    return switch (schema.path("type").asText("")) {
      case "array" -> type(schema.path("items"), name + "[]").map(ListType::create);
      case "object" -> {
        JsonNode values = schema.path("additionalProperties");
        yield values.isObject()
            ? type(values, name + "{}").map(type -> MapType.create(SimpleType.STRING, type))
            : Optional.of(struct(schema, name));
      }
      case "string" -> Optional.of(text(schema.path("format").asText("")));
      case "boolean" -> Optional.of(SimpleType.BOOL);
      case "integer" -> Optional.of(SimpleType.INT);
      case "number" -> Optional.of(SimpleType.DOUBLE);
      default -> Optional.empty();
    };
  }

  private static CelType text(String format) {
    return switch (format) {
      case "byte" -> SimpleType.BYTES;
      case "duration" -> SimpleType.DURATION;
      case "date", "date-time" -> SimpleType.TIMESTAMP;
      default -> SimpleType.STRING;
    };
  }

  private CelType struct(JsonNode schema, String name) {
    Map<String, CelType> fields = new LinkedHashMap<>();
    for (var property : properties(schema).properties()) {
      Optional<String> field = Identifiers.of(property.getKey());
      Optional<CelType> type = type(property.getValue(), name + "." + property.getKey());
      if (field.isPresent() && type.isPresent()) {
        fields.put(field.get(), type.get());
      }
    }
    ImmutableMap<String, CelType> all = ImmutableMap.copyOf(fields);
    CelType struct =
        StructType.create(name, all.keySet(), field -> Optional.ofNullable(all.get(field)));
    structs.put(name, struct);
    return struct;
  }

  static boolean isIntOrString(JsonNode schema) {
    return schema.path("x-kubernetes-int-or-string").asBoolean();
  }

  /**
   * Returns the properties that a schema declares. If the schema describes a resource, the result
   * also contains {@code apiVersion}, {@code kind} and {@code metadata}.
   */
  static JsonNode properties(JsonNode schema) {
    if (!schema.path("x-kubernetes-embedded-resource").asBoolean()) {
      return schema.path("properties");
    }
    ObjectNode all = Json.object();
    ObjectNode text = Json.object().put("type", "string");
    all.set("apiVersion", text);
    all.set("kind", text);
    ObjectNode metadata = all.putObject("metadata").put("type", "object");
    metadata.putObject("properties").set("name", text);
    metadata.withObject("/properties").set("generateName", text);
    for (var property : schema.path("properties").properties()) {
      if (!property.getKey().equals("metadata")) {
        all.set(property.getKey(), property.getValue());
      }
    }
    return all;
  }

  @Override
  public ImmutableCollection<CelType> types() {
    return ImmutableList.copyOf(structs.values());
  }

  @Override
  public Optional<CelType> findType(String name) {
    return Optional.ofNullable(structs.get(name));
  }
}
