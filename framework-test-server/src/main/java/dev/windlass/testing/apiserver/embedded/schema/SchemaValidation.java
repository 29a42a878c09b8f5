// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Validates a custom resource against its OpenAPI schema: types, bounds, lengths, patterns,
 * formats, enums, required fields and numbers of fields. This class does not check {@code
 * multipleOf} and logical operators. {@code SchemaRules} evaluates CEL rules.
 */
public final class SchemaValidation {
  private final List<FieldError> errors = new ArrayList<>();

  private SchemaValidation() {}

  /** Validates {@code object}, except its metadata, and returns the errors. */
  public static List<FieldError> validate(JsonNode schema, ObjectNode object) {
    SchemaValidation validation = new SchemaValidation();
    validation.check(schema, Json.without(object, "apiVersion", "kind", "metadata"), "");
    return validation.errors;
  }

  /** Validates the status of {@code object} and returns the errors. */
  public static List<FieldError> validateStatus(JsonNode schema, ObjectNode object) {
    SchemaValidation validation = new SchemaValidation();
    JsonNode status = object.path("status");
    if (!status.isMissingNode()) {
      validation.check(schema.path("properties").path("status"), status, "");
    }
    return validation.errors.stream()
        .map(
            e ->
                new FieldError(
                    e.type(), e.field().isEmpty() ? "status" : "status." + e.field(), e.message()))
        .toList();
  }

  private void check(JsonNode schema, JsonNode value, String path) {
    if (value.isNull() && schema.path("nullable").asBoolean()) {
      return;
    }
    String type = schema.path("type").asText("");
    boolean intOrString = schema.path("x-kubernetes-int-or-string").asBoolean();
    if (intOrString ? !isIntOrString(value) : !type.isEmpty() && !hasType(value, type)) {
      String wanted = intOrString ? "integer,string" : type;
      String shown = '"' + typeOf(value) + '"';
      errors.add(
          new FieldError(
              FieldError.Type.TYPE_INVALID,
              path,
              "Invalid value: %s: %s in body must be of type %s: %s"
                  .formatted(shown, path, wanted, shown)));
      checkEnum(schema, value, path);
      return;
    }
    checkEnum(schema, value, path);
    if (value.isNumber()) {
      checkNumber(schema, value, path);
    } else if (value.isTextual()) {
      checkText(schema, value, path);
    } else if (value.isArray()) {
      checkArray(schema, value, path);
    } else if (value.isObject()) {
      checkObject(schema, value, path);
    }
  }

  private static boolean isIntOrString(JsonNode value) {
    return value.isIntegralNumber() || value.isTextual();
  }

  private static boolean hasType(JsonNode value, String type) {
    return switch (type) {
      case "integer" -> isInteger(value);
      case "number" -> value.isNumber();
      default -> typeOf(value).equals(type);
    };
  }

  /** Returns whether a value is an integer. The real server reads those above 64 bits as floats. */
  private static boolean isInteger(JsonNode value) {
    return value.isNumber()
        && value.decimalValue().stripTrailingZeros().scale() <= 0
        && value.canConvertToLong();
  }

  private static String typeOf(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> "object";
      case ARRAY -> "array";
      case BOOLEAN -> "boolean";
      case NUMBER -> value.isIntegralNumber() && isInteger(value) ? "integer" : "number";
      case STRING -> "string";
      default -> "null";
    };
  }

  private void checkEnum(JsonNode schema, JsonNode value, String path) {
    JsonNode allowed = schema.path("enum");
    if (allowed.isEmpty()) {
      return;
    }
    List<String> names = new ArrayList<>();
    for (JsonNode candidate : allowed) {
      if (Json.same(candidate, value)) {
        return;
      }
      names.add(candidate.asText());
    }
    errors.add(FieldError.unsupported(path, value, names));
  }

  /** Formats a number without an exponent. A bound of 10 may be stored as 1E+1. */
  private static String plain(JsonNode number) {
    return number.decimalValue().stripTrailingZeros().toPlainString();
  }

  private void checkNumber(JsonNode schema, JsonNode value, String path) {
    BigDecimal number = value.decimalValue();
    if (schema.has("minimum")) {
      int order = number.compareTo(schema.path("minimum").decimalValue());
      boolean exclusive = schema.path("exclusiveMinimum").asBoolean();
      String bound = exclusive ? "greater than" : "greater than or equal to";
      checkThat(
          exclusive ? order > 0 : order >= 0,
          path,
          value,
          "should be %s %s".formatted(bound, plain(schema.path("minimum"))));
    }
    if (schema.has("maximum")) {
      int order = number.compareTo(schema.path("maximum").decimalValue());
      boolean exclusive = schema.path("exclusiveMaximum").asBoolean();
      String bound = exclusive ? "less than" : "less than or equal to";
      checkThat(
          exclusive ? order < 0 : order <= 0,
          path,
          value,
          "should be %s %s".formatted(bound, plain(schema.path("maximum"))));
    }
  }

  private void checkText(JsonNode schema, JsonNode value, String path) {
    String text = value.asText();
    String format = schema.path("format").asText("");
    if (!StringFormats.isValid(format, text)) {
      errors.add(
          new FieldError(
              FieldError.Type.TYPE_INVALID,
              path,
              "Invalid value: %2$s: %1$s in body must be of type %3$s: %2$s"
                  .formatted(path, value, format)));
    }
    int length = text.codePointCount(0, text.length());
    int min = schema.path("minLength").asInt(0);
    int max = schema.path("maxLength").asInt(Integer.MAX_VALUE);
    if (length > max) {
      errors.add(
          new FieldError(
              FieldError.Type.TOO_LONG,
              path,
              "Too long: may not be more than %d bytes".formatted(max)));
      return;
    } else if (length < min) {
      checkThat(false, path, value, "should be at least %d chars long".formatted(min));
      return;
    }
    String pattern = schema.path("pattern").asText("");
    checkThat(
        pattern.isEmpty() || Pattern.compile(pattern).matcher(text).find(),
        path,
        value,
        "should match '%s'".formatted(pattern));
  }

  private void checkArray(JsonNode schema, JsonNode value, String path) {
    int min = schema.path("minItems").asInt(0);
    checkThat(value.size() >= min, path, value, "should have at least %d items".formatted(min));
    checkMany(value, schema.path("maxItems"), path);
    int index = 0;
    for (JsonNode item : value) {
      check(schema.path("items"), item, "%s[%d]".formatted(path, index));
      index++;
    }
    checkDuplicates(schema, value, path);
  }

  private void checkMany(JsonNode value, JsonNode limit, String path) {
    int max = limit.asInt(Integer.MAX_VALUE);
    if (value.size() > max) {
      String message = "Too many: %d: must have at most %d %s";
      errors.add(
          new FieldError(
              FieldError.Type.TOO_MANY,
              path,
              message.formatted(value.size(), max, max == 1 ? "item" : "items")));
    }
  }

  private void checkDuplicates(JsonNode schema, JsonNode list, String path) {
    Set<JsonNode> known = new HashSet<>();
    int index = 0;
    for (JsonNode item : list) {
      JsonNode key = key(schema, item);
      if (!key.isMissingNode() && !known.add(key)) {
        errors.add(FieldError.duplicate("%s[%d]".formatted(path, index), key));
      }
      index++;
    }
  }

  /**
   * Returns the value that must be unique for each element of a list: the element's keys in a list
   * of the type {@code map}, or the element itself in a list of the type {@code set}. Returns a
   * missing node for other lists, which can contain equal elements.
   */
  private static JsonNode key(JsonNode schema, JsonNode item) {
    String type = schema.path("x-kubernetes-list-type").asText("");
    if (!type.equals("map")) {
      return type.equals("set") ? item : MissingNode.getInstance();
    }
    ObjectNode key = Json.object();
    for (JsonNode name : schema.path("x-kubernetes-list-map-keys")) {
      if (item.has(name.asText())) {
        key.set(name.asText(), item.path(name.asText()));
      }
    }
    return key;
  }

  private void checkObject(JsonNode schema, JsonNode value, String path) {
    int min = schema.path("minProperties").asInt(0);
    checkThat(
        value.size() >= min,
        path,
        JsonNodeFactory.instance.numberNode(value.size()),
        "should have at least %d properties".formatted(min));
    checkMany(value, schema.path("maxProperties"), path);
    for (JsonNode required : schema.path("required")) {
      if (!value.has(required.asText()) && !isMetadata(path, required.asText())) {
        errors.add(FieldError.required(child(path, required.asText()), ""));
      }
    }
    for (var field : value.properties()) {
      JsonNode property = schema.path("properties").path(field.getKey());
      if (property.isMissingNode()) {
        check(schema.path("additionalProperties"), field.getValue(), child(path, field.getKey()));
      } else {
        check(property, field.getValue(), child(path, field.getKey()));
      }
    }
  }

  /**
   * Returns whether a field is one of the top-level fields that all custom resources have. {@link
   * #validate} removes these fields before the check.
   */
  private static boolean isMetadata(String path, String field) {
    return path.isEmpty() && List.of("apiVersion", "kind", "metadata").contains(field);
  }

  private static String child(String path, String field) {
    return path.isEmpty() ? field : path + "." + field;
  }

  private void checkThat(boolean holds, String path, JsonNode value, String rule) {
    if (!holds) {
      errors.add(FieldError.invalid(path, value, path + " in body " + rule));
    }
  }
}
