// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.logging.OneLine;
import dev.windlass.object.patch.UnknownFields;
import dev.windlass.webhook.conversion.ConversionException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A typed object that is being converted from one version to another.
 *
 * @param json converts objects to JSON and back
 * @param object the typed object, whose metadata contains {@code marks}
 * @param marks the current labels and annotations of the object
 * @param decodedFrom the class into which the object was decoded from JSON
 * @param source the content of this JSON
 * @param known the content of the decoded object, including null and empty fields; the other fields
 *     of {@code source} are unknown to {@code decodedFrom}
 * @param <T> the class of the object's current version
 */
record ConvertedObject<T extends HasMetadata>(
    ObjectJson json,
    T object,
    LabelsAndAnnotations marks,
    Class<? extends HasMetadata> decodedFrom,
    ObjectNode source,
    ObjectNode known) {

  /** The maximum length of a {@link ConversionException} message. */
  private static final int LONGEST_MESSAGE = 1024;

  /** Decodes an object of a request. */
  static <T extends HasMetadata> ConvertedObject<T> of(
      ObjectJson json, ObjectNode source, Class<T> version) throws ConversionFailure {
    T decoded = json.decode(source, version);
    LabelsAndAnnotations marks = LabelsAndAnnotations.of(decoded.getMetadata());
    return decoded(json, decoded, marks, version, source);
  }

  private static <T extends HasMetadata> ConvertedObject<T> decoded(
      ObjectJson json, T object, LabelsAndAnnotations marks, Class<T> version, ObjectNode source)
      throws ConversionFailure {
    ObjectNode known = json.contentWithEmptyFields(object);
    return new ConvertedObject<>(json, object, marks, version, ObjectJson.content(source), known);
  }

  /**
   * Returns this object with other labels and annotations. Also sets them in the metadata of the
   * typed object.
   */
  ConvertedObject<T> with(LabelsAndAnnotations other) {
    object.setMetadata(other.on(object.getMetadata()));
    return new ConvertedObject<>(json, object, other, decodedFrom, source, known);
  }

  /** Returns an object with the given content and this object's metadata. */
  <R extends HasMetadata> ConvertedObject<R> withContent(ObjectNode content, Class<R> version)
      throws ConversionFailure {
    R decoded = json.decode(content, version);
    ConvertedObject<R> result = decoded(json, decoded, marks, version, content);
    decoded.setMetadata(marks.on(object.getMetadata()));
    return result;
  }

  /** Returns the result of applying one of the program's functions to this object. */
  <R extends HasMetadata> ConvertedObject<R> through(Function<? super T, ? extends R> function)
      throws ConversionFailure {
    R result = call(function);
    if (result == null) {
      throw new ConversionFailure("the conversion function returned null", null);
    }
    LabelsAndAnnotations after = marks.after(result.getMetadata());
    result.setMetadata(after.on(object.getMetadata()));
    return new ConvertedObject<>(json, result, after, decodedFrom, source, known);
  }

  private <R extends HasMetadata> @Nullable R call(Function<? super T, ? extends R> function)
      throws ConversionFailure {
    try {
      return function.apply(object);
    } catch (ConversionException e) {
      // The message is sufficient, so the stack trace is not logged.
      throw new ConversionFailure(
          OneLine.of(String.valueOf(e.getMessage()), LONGEST_MESSAGE), null);
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      throw new ConversionFailure("the conversion function threw " + e.getClass().getName(), e);
    }
  }

  /**
   * Returns the content of this object, including the unknown fields. Omits each unknown field
   * whose parent does not exist in the content.
   */
  ObjectNode content() throws ConversionFailure {
    return merged().object();
  }

  /**
   * Returns the content of this object, including all unknown fields.
   *
   * @throws ConversionFailure if the parent of an unknown field does not exist in the content
   */
  ObjectNode completeContent() throws ConversionFailure {
    UnknownFields.Merged merged = merged();
    Optional<String> homeless = merged.ambiguous().or(() -> merged.dropped().stream().findFirst());
    if (homeless.isPresent()) {
      throw new ConversionFailure(
          "it does not fit "
              + decodedFrom.getName()
              + " at "
              + OneLine.of(homeless.get(), LONGEST_MESSAGE)
              + ", a field that the class does not have and that has no place in the result",
          null);
    }
    return merged.object();
  }

  /**
   * Copies the unknown fields to the same paths in the result. The API server removes them if the
   * schema of the result's version does not contain them.
   */
  private UnknownFields.Merged merged() throws ConversionFailure {
    ObjectNode converted = json.content(object);
    UnknownFields.Merged merged = UnknownFields.mergeByPosition(source, known, converted);
    addMissing(merged.object(), converted);
    return merged;
  }

  /**
   * Adds the fields that the converted object has, but the merge omits because the decoded object
   * has the same value: a default of both classes, which the JSON of the request lacks.
   */
  private static void addMissing(JsonNode merged, JsonNode converted) {
    if (merged instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> field : converted.properties()) {
        JsonNode value = object.get(field.getKey());
        if (value == null && !field.getValue().isNull()) {
          object.set(field.getKey(), field.getValue());
        } else if (value != null) {
          addMissing(value, field.getValue());
        }
      }
    } else if (merged.isArray() && converted.isArray() && merged.size() == converted.size()) {
      for (int i = 0; i < merged.size(); i++) {
        addMissing(merged.get(i), converted.get(i));
      }
    }
  }
}
