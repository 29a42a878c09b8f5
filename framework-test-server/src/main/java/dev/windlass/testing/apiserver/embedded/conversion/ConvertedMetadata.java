// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.LabelSyntax;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Limits how a conversion webhook can change an object's metadata. A webhook can change only labels
 * and annotations. The server rejects a change of the object's identity and ignores all other
 * changes.
 */
final class ConvertedMetadata {
  private static final List<String> CHANGEABLE = List.of("labels", "annotations");

  private ConvertedMetadata() {}

  /**
   * Returns the converted object with the original metadata, except for labels and annotations,
   * which are those of the converted object.
   *
   * @param refusal the function that creates the exception to throw if the converted object is
   *     invalid
   */
  static ObjectNode restored(
      ObjectNode original, ObjectNode converted, Function<String, StatusException> refusal) {
    checkIdentity(original.path("metadata"), converted.path("metadata"), refusal);
    Function<String, StatusException> invalid =
        why -> refusal.apply("returned invalid metadata: " + why);
    if (!converted.has("metadata")) {
      throw invalid.apply("missing metadata in converted object");
    }
    JsonNode given = converted.path("metadata");
    if (!given.isObject()) {
      throw invalid.apply(
          "invalid metadata of type %s in converted object".formatted(goType(given)));
    }
    ObjectNode metadata = original.path("metadata").deepCopy();
    for (String field : CHANGEABLE) {
      JsonNode value = given.path(field);
      metadata.remove(field);
      if (!value.isMissingNode() && !value.isNull()) {
        check(field, value, original.path("metadata").path(field), invalid);
        metadata.set(field, value);
      }
    }
    ObjectNode result = Json.shallowCopy(converted);
    result.set("metadata", metadata);
    return result;
  }

  private static void checkIdentity(
      JsonNode original, JsonNode converted, Function<String, StatusException> refusal) {
    for (String field : List.of("name", "namespace", "uid")) {
      String expected = original.path(field).asText("");
      String actual = converted.path(field).asText("");
      if (!expected.equals(actual)) {
        String shown = field.equals("uid") ? "UID" : field;
        throw refusal.apply(
            "returned invalid object: must have the same %s: %s != %s"
                .formatted(shown, expected, actual));
      }
    }
  }

  private static void check(
      String field, JsonNode map, JsonNode old, Function<String, StatusException> invalid) {
    if (!map.isObject()) {
      throw invalid.apply(
          "invalid metadata.%s of type %s in converted object".formatted(field, goType(map)));
    }
    for (var entry : map.properties()) {
      if (!entry.getValue().isTextual()) {
        throw invalid.apply(
            "metadata.%s[%s] must be a string, but is %s in converted object"
                .formatted(field, entry.getKey(), goType(entry.getValue())));
      }
    }
    if (!map.equals(old)) {
      List<FieldError> errors = new ArrayList<>();
      boolean labels = field.equals("labels");
      String path = "metadata." + (labels ? "labels" : "annotation");
      for (var entry : map.properties()) {
        errors.addAll(LabelSyntax.ofName(path, entry.getKey(), entry.getKey()));
        if (labels) {
          errors.addAll(LabelSyntax.ofValue(path, entry.getValue().asText()));
        }
      }
      if (!errors.isEmpty()) {
        List<String> texts = errors.stream().map(FieldError::text).toList();
        throw invalid.apply(
            texts.size() == 1 ? texts.get(0) : "[" + String.join(", ", texts) + "]");
      }
    }
  }

  private static String goType(JsonNode value) {
    return switch (value.getNodeType()) {
      case ARRAY -> "[]interface {}";
      case BOOLEAN -> "bool";
      case NUMBER -> value.isIntegralNumber() ? "int64" : "float64";
      case STRING -> "string";
      case OBJECT -> "map[string]interface {}";
      default -> "<nil>";
    };
  }
}
