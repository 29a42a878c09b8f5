// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.LabelSyntax;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
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
    ObjectNode metadata = original.path("metadata").deepCopy();
    JsonNode given = converted.path("metadata");
    for (String field : List.of("name", "namespace", "uid")) {
      if (!metadata.path(field).asText("").equals(given.path(field).asText(""))) {
        String shown = field.equals("uid") ? "UID" : field;
        throw refusal.apply("returned invalid object: must have the same " + shown);
      }
    }
    Function<String, StatusException> invalid =
        why -> refusal.apply("returned invalid metadata: " + why);
    if (!given.isObject()) {
      throw invalid.apply("it is not an object");
    }
    boolean changed = false;
    for (String field : CHANGEABLE) {
      JsonNode value = given.path(field);
      JsonNode before = metadata.path(field);
      metadata.remove(field);
      if (!value.isMissingNode() && !value.isNull()) {
        boolean texts = value.isObject();
        for (JsonNode each : value) {
          texts &= each.isTextual();
        }
        if (!texts) {
          throw invalid.apply("metadata." + field + " must be a map of strings");
        }
        metadata.set(field, value);
        changed |= !value.equals(before);
      }
    }
    List<FieldError> errors = changed ? LabelSyntax.ofMetadata(new Meta(metadata)) : List.of();
    if (!errors.isEmpty()) {
      throw invalid.apply(FieldError.texts(errors));
    }
    ObjectNode result = Json.shallowCopy(converted);
    result.set("metadata", metadata);
    return result;
  }
}
