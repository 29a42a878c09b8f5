// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.fabric8.kubernetes.api.model.Duration;
import java.text.ParseException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts JSON values to CEL values of the types that a schema declares. */
final class SchemaValues {
  private SchemaValues() {}

  /** Converts a JSON value to a CEL value. The JSON value must conform to the schema. */
  static Object of(JsonNode schema, JsonNode value) {
    if (value.isNull() || value.isMissingNode()) {
      return NullValue.NULL_VALUE;
    } else if (SchemaTypes.isIntOrString(schema)) {
      return value.isTextual() ? value.asText() : value.asLong();
    }
    return switch (schema.path("type").asText("")) {
      case "array" -> list(schema.path("items"), value);
      case "object" ->
          schema.path("additionalProperties").isObject()
              ? map(schema.path("additionalProperties"), value)
              : struct(schema, value);
      case "string" -> text(schema.path("format").asText(""), value.asText());
      case "boolean" -> value.asBoolean();
      case "integer" -> value.asLong();
      case "number" -> value.asDouble();
      default -> untyped(value);
    };
  }

  private static List<Object> list(JsonNode items, JsonNode value) {
    List<Object> list = new ArrayList<>();
    value.forEach(item -> list.add(of(items, item)));
    return list;
  }

  private static Map<String, Object> map(JsonNode values, JsonNode value) {
    Map<String, Object> map = new LinkedHashMap<>();
    value.properties().forEach(entry -> map.put(entry.getKey(), of(values, entry.getValue())));
    return map;
  }

  private static Map<String, Object> struct(JsonNode schema, JsonNode value) {
    Map<String, Object> struct = new LinkedHashMap<>();
    for (var property : SchemaTypes.properties(schema).properties()) {
      JsonNode field = value.path(property.getKey());
      if (!field.isMissingNode()) {
        Identifiers.of(property.getKey())
            .ifPresent(name -> struct.put(name, of(property.getValue(), field)));
      }
    }
    return struct;
  }

  private static Object text(String format, String text) {
    try {
      return switch (format) {
        case "byte" -> CelByteString.of(Base64.getDecoder().decode(text));
        case "duration" -> Duration.parse(text).getDuration();
        case "date" -> LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        case "date-time" -> OffsetDateTime.parse(text).toInstant();
        default -> text;
      };
    } catch (DateTimeException | IllegalArgumentException | ParseException e) {
      return text; // the schema does not permit this value
    }
  }

  /** Converts a JSON value to a CEL value, based only on its JSON type. */
  static Object untyped(JsonNode value) {
    if (value.isObject()) {
      Map<String, Object> map = new LinkedHashMap<>();
      value.properties().forEach(entry -> map.put(entry.getKey(), untyped(entry.getValue())));
      return map;
    } else if (value.isArray()) {
      List<Object> list = new ArrayList<>();
      value.forEach(item -> list.add(untyped(item)));
      return list;
    } else if (value.isNumber()) {
      return value.isIntegralNumber() ? (Object) value.asLong() : (Object) value.asDouble();
    } else if (value.isBoolean()) {
      return value.asBoolean();
    }
    return value.isTextual() ? value.asText() : NullValue.NULL_VALUE;
  }
}
