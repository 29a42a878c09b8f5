// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.Set;

/**
 * Checks that the values in an object of a built-in kind have the types that fabric8's class
 * declares. Reports the first mismatch with the message of the real server's JSON decoder, which
 * contains the names of Go types.
 */
public final class ModelTypes {
  /** The fields whose values are Base64 strings. */
  private static final Set<String> BYTES = Set.of("Secret.data", "ConfigMap.binaryData");

  private final String version;

  private ModelTypes(String version) {
    this.version = version;
  }

  /**
   * Returns the decoder's message for the first value that has the wrong type, or empty if there is
   * none.
   *
   * @param version the kind's version, such as {@code v1}
   */
  public static Optional<String> firstMismatch(Class<?> model, String version, ObjectNode object) {
    return new ModelTypes(version).check(ModelFields.type(model), object, "", "");
  }

  private Optional<String> check(JavaType type, JsonNode value, String struct, String path) {
    if (value.isNull()) {
      return Optional.empty();
    }
    String wrong = wrongType(type, value);
    if (!wrong.isEmpty()) {
      return Optional.of(
          "json: cannot unmarshal %s into Go struct field %s.%s of type %s"
              .formatted(
                  wrong,
                  struct,
                  path,
                  BYTES.contains(struct + "." + path)
                      ? goType(type).replaceFirst("string$", "[]uint8")
                      : goType(type)));
    }
    Optional<String> found = Optional.empty();
    if (type.isMapLikeType() || type.isCollectionLikeType()) {
      for (JsonNode element : value) {
        found = found.or(() -> check(type.getContentType(), element, struct, path));
      }
    } else if (value.isObject()) {
      var fields = ModelFields.fields(type);
      for (var entry : value.properties()) {
        JavaType field = fields.get(entry.getKey());
        if (field != null) {
          String at = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
          String name = type.getRawClass().getSimpleName();
          found = found.or(() -> check(field, entry.getValue(), name, at));
        }
      }
    }
    return found;
  }

  /**
   * Returns the decoder's name for the type of a value if the value has the wrong type. Returns an
   * empty string if the type is correct.
   */
  private static String wrongType(JavaType type, JsonNode value) {
    Class<?> raw = type.getRawClass();
    boolean fits;
    if (type.isMapLikeType()) {
      fits = value.isObject();
    } else if (type.isCollectionLikeType()) {
      fits = value.isArray();
    } else if (raw == String.class) {
      fits = value.isTextual();
    } else if (raw == Boolean.class || raw == boolean.class) {
      fits = value.isBoolean();
    } else if (raw == Integer.class || raw == Long.class) {
      fits = raw == Long.class ? value.canConvertToLong() : value.canConvertToInt();
      fits &= value.isIntegralNumber();
    } else {
      fits = value.isObject() || ModelFields.fields(type).isEmpty();
    }
    return fits ? "" : nameOf(value);
  }

  private static String nameOf(JsonNode value) {
    return switch (value.getNodeType()) {
      case NUMBER -> value.isIntegralNumber() ? "number" : "number " + value;
      case BOOLEAN -> "bool";
      case ARRAY -> "array";
      case OBJECT -> "object";
      default -> "string";
    };
  }

  private String goType(JavaType type) {
    Class<?> raw = type.getRawClass();
    if (type.isMapLikeType()) {
      return "map[string]" + goType(type.getContentType());
    } else if (type.isCollectionLikeType()) {
      return "[]" + goType(type.getContentType());
    } else if (raw == Boolean.class || raw == boolean.class) {
      return "bool";
    } else if (raw == Integer.class || raw == Long.class) {
      return raw == Long.class ? "int64" : "int32";
    }
    boolean meta = raw.getSimpleName().matches("ObjectMeta|OwnerReference|LabelSelector.*");
    String name = raw.getSimpleName();
    return raw == String.class ? "string" : (meta ? "v1" : version) + "." + name;
  }
}
