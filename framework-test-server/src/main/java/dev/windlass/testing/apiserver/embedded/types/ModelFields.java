// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Determines the fields of fabric8's classes for built-in kinds. These are the fields that the real
 * server decodes. A value can have any content if its class declares no fields or has its own
 * deserialiser, as the class of quantities does.
 */
public final class ModelFields {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Map<JavaType, Map<String, JavaType>> FIELDS = new ConcurrentHashMap<>();

  private ModelFields() {}

  public static JavaType type(Class<?> model) {
    return MAPPER.constructType(model);
  }

  /** Returns the type of a field in an object or an entry in a map, or null if it is unknown. */
  public static @Nullable JavaType member(JavaType type, String name) {
    return type.isMapLikeType() ? type.getContentType() : fields(type).get(name);
  }

  /** Returns whether an object or a map can have a field with the given name. */
  public static boolean allows(JavaType type, String name) {
    Map<String, JavaType> fields = type.isMapLikeType() ? Map.of() : fields(type);
    return fields.isEmpty() || fields.containsKey(name);
  }

  /** Returns the JSON type of a field, or an empty string if it can have any type. */
  public static String jsonType(JavaType type) {
    Class<?> raw = type.getRawClass();
    if (type.isCollectionLikeType()) {
      return "array";
    } else if (raw == String.class) {
      return "string";
    } else if (raw == Boolean.class || raw == boolean.class) {
      return "boolean";
    } else if (raw == Integer.class || raw == Long.class) {
      return "number";
    }
    return type.isMapLikeType() || !fields(type).isEmpty() ? "object" : "";
  }

  /** Returns the field names of a class. */
  static Set<String> of(Class<?> model) {
    return fields(MAPPER.constructType(model)).keySet();
  }

  /**
   * Prunes the fields that the class does not have, in place. Also drops empty lists and maps, as
   * Go's encoder does. Returns the paths of the unknown fields, in the order in which the object
   * contains them.
   */
  public static List<String> prune(Class<?> model, ObjectNode object) {
    List<String> unknown = new ArrayList<>();
    prune(MAPPER.constructType(model), object, "", unknown);
    return unknown;
  }

  private static void prune(JavaType type, JsonNode value, String path, List<String> unknown) {
    if (type.isMapLikeType() && value instanceof ObjectNode map) {
      boolean texts = type.getContentType().getRawClass() == String.class;
      for (var entry : value.properties()) {
        if (texts && entry.getValue().isNull()) {
          map.put(entry.getKey(), "");
        }
        prune(type.getContentType(), entry.getValue(), path + "." + entry.getKey(), unknown);
      }
    } else if (type.isCollectionLikeType()) {
      for (int i = 0; i < value.size(); i++) {
        prune(type.getContentType(), value.path(i), path + "[" + i + "]", unknown);
      }
    } else if (value instanceof ObjectNode object && !fields(type).isEmpty()) {
      Map<String, JavaType> fields = fields(type);
      List<String> dropped = new ArrayList<>();
      for (var entry : object.properties()) {
        String child = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
        JavaType field = fields.get(entry.getKey());
        if (field == null) {
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

  private static boolean isEmptyContainer(JavaType type, JsonNode value) {
    return value.isContainerNode()
        && value.isEmpty()
        && (type.isMapLikeType() || type.isCollectionLikeType());
  }

  /**
   * Returns the fields of a class, or an empty map if objects of the class can have any content.
   */
  static Map<String, JavaType> fields(JavaType type) {
    Map<String, JavaType> known = FIELDS.get(type);
    if (known == null) {
      known = readsItself(type) ? Map.of() : introspect(type);
      FIELDS.put(type, known);
    }
    return known;
  }

  private static boolean readsItself(JavaType type) {
    JsonDeserialize how = type.getRawClass().getAnnotation(JsonDeserialize.class);
    return type.isAbstract()
        || type.isPrimitive()
        || type.getRawClass().getName().startsWith("java.")
        || type.getRawClass().getSimpleName().matches("IntOrString|Quantity|AnyType")
        || (how != null && how.using() != JsonDeserializer.None.class);
  }

  private static Map<String, JavaType> introspect(JavaType type) {
    Map<String, JavaType> fields = new HashMap<>();
    for (BeanPropertyDefinition field :
        MAPPER.getDeserializationConfig().introspect(type).findProperties()) {
      if (field.couldDeserialize()) {
        fields.put(field.getName(), field.getPrimaryType());
      }
    }
    return Map.copyOf(fields);
  }
}
