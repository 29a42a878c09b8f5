// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Visits the values in an object of a built-in kind, with the class that fabric8 declares. */
public final class ModelValues {

  /** Completes or replaces values. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Returns the value to store, which can be the given one. The function can modify a JSON object
     * in place. The values in this object are visited afterwards.
     *
     * @param model the simple name of the class, such as {@code Quantity}
     */
    JsonNode visit(String model, JsonNode value);
  }

  private ModelValues() {}

  /** Visits all values in an object, except the object itself. */
  public static void visit(Class<?> model, ObjectNode object, Visitor visitor) {
    below(ModelFields.type(model), object, visitor);
  }

  private static JsonNode visited(JavaType type, JsonNode value, Visitor visitor) {
    if (value.isNull()) {
      return value;
    }
    JsonNode now = visitor.visit(type.getRawClass().getSimpleName(), value);
    below(type, now, visitor);
    return now;
  }

  private static void below(JavaType type, JsonNode value, Visitor visitor) {
    if (value instanceof ArrayNode array && type.isCollectionLikeType()) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, visited(type.getContentType(), array.get(i), visitor));
      }
    } else if (value instanceof ObjectNode object) {
      for (var field : List.copyOf(object.properties())) {
        @Nullable JavaType declared = ModelFields.member(type, field.getKey());
        if (declared != null) {
          object.set(field.getKey(), visited(declared, field.getValue(), visitor));
        }
      }
    }
  }
}
