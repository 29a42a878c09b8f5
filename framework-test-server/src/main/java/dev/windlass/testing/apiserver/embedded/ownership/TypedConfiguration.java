// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks that the values in an applied configuration have the types of their fields. */
public final class TypedConfiguration {
  private final List<String> errors = new ArrayList<>();

  private TypedConfiguration() {}

  /** Validates a configuration and returns the errors. */
  public static List<String> errors(FieldShape shape, ObjectNode config) {
    TypedConfiguration typed = new TypedConfiguration();
    typed.check(shape, config, "");
    return typed.errors;
  }

  private void check(FieldShape shape, JsonNode value, String path) {
    String type = shape.typeName();
    if (value.isNull() || (type.isEmpty() && !value.isObject())) {
      return;
    }
    if (!type.isEmpty() && !type.equals(typeOf(value))) {
      errors.add("%s: expected %s, got %s".formatted(path, type, value));
      return;
    }
    for (var field : value.properties()) {
      if (!shape.allows(field.getKey())) {
        errors.add(path + "." + field.getKey() + ": field not declared in schema");
        break; // the real server then ignores the rest of the object
      }
      check(shape.member(field.getKey()), field.getValue(), path + "." + field.getKey());
    }
    if (value.isArray()) {
      checkList(shape, value, path);
    }
  }

  private void checkList(FieldShape shape, JsonNode list, String path) {
    Set<String> tokens = new HashSet<>();
    for (int i = 0; i < list.size(); i++) {
      JsonNode element = list.get(i);
      String token = shape.hasElements() ? shape.token(element) : null;
      if (token == null && shape.hasElements()) {
        errors.add("%s: element %d has none of the keys of the list".formatted(path, i));
        continue;
      }
      String at = token == null ? "[" + i + "]" : FieldPath.ROOT.then(token).toString();
      if (token != null && !tokens.add(token)) {
        errors.add("%s: duplicate entries for key %s".formatted(path, at));
      }
      check(shape.elements(), element, path + at);
    }
  }

  private static String typeOf(JsonNode value) {
    return switch (value.getNodeType()) {
      case ARRAY -> "array";
      case BOOLEAN -> "boolean";
      case NUMBER -> "number";
      case STRING -> "string";
      default -> "object";
    };
  }
}
