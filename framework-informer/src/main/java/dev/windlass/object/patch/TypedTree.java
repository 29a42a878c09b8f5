// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Replaces values in the JSON of a typed object, depending on the Java class of each value. This
 * class is thread-safe.
 */
final class TypedTree {

  /** Replaces the values of certain classes. */
  @FunctionalInterface
  interface Replacement {
    /**
     * Returns the value to use instead of the given one, or the given value itself. The function
     * can modify a JSON object in place. Values within the given value are replaced first.
     *
     * @param type the class that is declared for the value
     * @param value the value; never null
     */
    JsonNode of(Class<?> type, JsonNode value);
  }

  /** Writes each quantity in the notation in which the server stores it. */
  static final Replacement QUANTITIES =
      (type, value) ->
          type == Quantity.class && value.isValueNode()
              ? TextNode.valueOf(CanonicalQuantity.of(value.asText()))
              : value;

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Map<Class<?>, Map<String, JavaType>> FIELDS = new ConcurrentHashMap<>();

  private TypedTree() {}

  /**
   * Replaces values of an object in place, except the object itself.
   *
   * @param type the class of the object
   * @param object the JSON of the object
   */
  static void replace(Class<?> type, ObjectNode object, Replacement replacement) {
    below(MAPPER.constructType(type), object, replacement);
  }

  private static JsonNode replaced(JavaType type, JsonNode value, Replacement replacement) {
    below(type, value, replacement);
    return value.isNull() ? value : replacement.of(type.getRawClass(), value);
  }

  private static void below(JavaType type, JsonNode value, Replacement replacement) {
    if (value instanceof ArrayNode array && type.isCollectionLikeType()) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, replaced(type.getContentType(), array.get(i), replacement));
      }
    } else if (value instanceof ObjectNode object && !object.isEmpty()) {
      Map<String, JavaType> fields = type.isMapLikeType() ? Map.of() : fields(type);
      for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
        JavaType declared =
            type.isMapLikeType() ? type.getContentType() : fields.get(field.getKey());
        if (declared != null) {
          JsonNode now = replaced(declared, field.getValue(), replacement);
          object.set(field.getKey(), now);
        }
      }
    }
  }

  private static Map<String, JavaType> fields(JavaType type) {
    Class<?> raw = type.getRawClass();
    Map<String, JavaType> known = FIELDS.get(raw);
    if (known == null) {
      known = raw.getName().startsWith("java.") ? Map.of() : introspect(type);
      FIELDS.put(raw, known);
    }
    return known;
  }

  private static Map<String, JavaType> introspect(JavaType type) {
    Map<String, JavaType> fields = new HashMap<>();
    for (BeanPropertyDefinition field :
        MAPPER.getSerializationConfig().introspect(type).findProperties()) {
      if (field.couldSerialize()) {
        fields.put(field.getName(), field.getPrimaryType());
      }
    }
    return Map.copyOf(fields);
  }
}
