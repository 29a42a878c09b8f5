// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Completes and checks the values in an object of a built-in kind, with the schemas of {@link
 * BuiltInSchemas}. A value can have any content if its schema says nothing about it, as that of a
 * quantity does.
 */
public final class BuiltInValues {

  /** Completes or replaces values. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Returns the value to store, which can be the given one. The function can modify a JSON object
     * in place. The values in this object are visited afterwards.
     *
     * @param name the name of the value's schema without its package, such as {@code Quantity};
     *     empty if it has none
     */
    JsonNode visit(String name, JsonNode value);
  }

  private BuiltInValues() {}

  /**
   * Sets the defaults in an object's schema, and visits all values in it, except the object itself.
   */
  public static void visit(JsonNode schema, ObjectNode object, Visitor visitor) {
    for (var property : schema.path("properties").properties()) {
      JsonNode preset = BuiltInSchemas.preset(property.getValue());
      if (preset != null && isMissing(object.path(property.getKey()))) {
        object.set(property.getKey(), preset.deepCopy());
      }
    }
    for (var field : List.copyOf(object.properties())) {
      JsonNode declared = member(schema, field.getKey());
      if (!declared.isMissingNode()) {
        object.set(field.getKey(), visited(declared, field.getValue(), visitor));
      }
    }
  }

  /** Returns whether a value is missing. As in Go, an empty string is a missing value. */
  public static boolean isMissing(JsonNode value) {
    return value.isMissingNode() || (value.isTextual() && value.asText().isEmpty());
  }

  private static JsonNode visited(JsonNode declared, JsonNode value, Visitor visitor) {
    if (value.isNull()) {
      return value;
    }
    String name = declared.path("$ref").asText("");
    JsonNode now = visitor.visit(name.substring(name.lastIndexOf('.') + 1), value);
    JsonNode schema = BuiltInSchemas.resolve(declared);
    if (now instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, visited(schema.path("items"), array.get(i), visitor));
      }
    } else if (now instanceof ObjectNode object) {
      visit(schema, object, visitor);
    }
    return now;
  }

  /** Returns the schema of a field in an object or an entry in a map; missing if there is none. */
  private static JsonNode member(JsonNode schema, String name) {
    JsonNode property = schema.path("properties").path(name);
    return property.isMissingNode() ? schema.path("additionalProperties") : property;
  }

  /**
   * Prunes the fields that the schema does not have, in place. Also drops empty lists and maps, as
   * Go's encoder does. Returns the paths of the unknown fields, in the order in which the object
   * contains them.
   */
  public static List<String> prune(JsonNode schema, ObjectNode object) {
    List<String> unknown = new ArrayList<>();
    prune(schema, object, "", unknown);
    return unknown;
  }

  private static void prune(JsonNode schema, JsonNode value, String path, List<String> unknown) {
    if (schema.has("additionalProperties") && value instanceof ObjectNode map) {
      JsonNode values = BuiltInSchemas.resolve(schema.path("additionalProperties"));
      boolean texts = values.path("type").asText().equals("string");
      for (var entry : value.properties()) {
        if (texts && entry.getValue().isNull()) {
          map.put(entry.getKey(), "");
        }
        prune(values, entry.getValue(), path + "." + entry.getKey(), unknown);
      }
    } else if (value.isArray()) {
      JsonNode items = BuiltInSchemas.resolve(schema.path("items"));
      for (int i = 0; i < value.size(); i++) {
        prune(items, value.path(i), path + "[" + i + "]", unknown);
      }
    } else if (value instanceof ObjectNode object && schema.has("properties")) {
      List<String> dropped = new ArrayList<>();
      for (var entry : object.properties()) {
        String child = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
        JsonNode declared = schema.path("properties").path(entry.getKey());
        JsonNode field = BuiltInSchemas.resolve(declared);
        if (declared.isMissingNode()) {
          dropped.add(entry.getKey());
          unknown.add(child);
        } else if (isEmptyContainer(field, entry.getValue())) {
          dropped.add(entry.getKey()); // Go's encoder omits it
        } else {
          prune(field, entry.getValue(), child, unknown);
        }
      }
      object.remove(dropped);
    }
  }

  private static boolean isEmptyContainer(JsonNode schema, JsonNode value) {
    return value.isContainerNode()
        && value.isEmpty()
        && (schema.has("items") || schema.has("additionalProperties"));
  }

  /** Describes the first value that has the wrong type. Returns empty if there is none. */
  public static Optional<String> firstMismatch(JsonNode schema, ObjectNode object) {
    return mismatch(schema, object, "");
  }

  private static Optional<String> mismatch(JsonNode schema, JsonNode value, String path) {
    if (value.isNull()) {
      return Optional.empty();
    }
    String type = schema.path("type").asText("");
    if (!fits(type, schema.path("format").asText(""), value)) {
      String found = value.getNodeType().name().toLowerCase(Locale.ROOT);
      return Optional.of("%s must be of the type %s, not %s".formatted(path, type, found));
    }
    Optional<String> found = Optional.empty();
    if (value.isArray()) {
      JsonNode items = BuiltInSchemas.resolve(schema.path("items"));
      for (JsonNode element : value) {
        found = found.or(() -> mismatch(items, element, path));
      }
    } else if (value.isObject()) {
      for (var entry : value.properties()) {
        JsonNode field = BuiltInSchemas.resolve(member(schema, entry.getKey()));
        String at = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
        found = found.or(() -> mismatch(field, entry.getValue(), at));
      }
    }
    return found;
  }

  private static boolean fits(String type, String format, JsonNode value) {
    return switch (type) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isTextual();
      case "boolean" -> value.isBoolean();
      case "number" -> value.isNumber();
      case "integer" ->
          value.isIntegralNumber()
              && (format.equals("int32") ? value.canConvertToInt() : value.canConvertToLong());
      default -> true;
    };
  }
}
