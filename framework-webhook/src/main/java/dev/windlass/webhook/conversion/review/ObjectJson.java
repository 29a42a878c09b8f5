// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.json.JsonLimits;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.object.UndecodableException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.util.List;

/** Converts JSON to typed objects and back. No error message contains a value of an object. */
final class ObjectJson {

  /** The fields that are not part of an object's content. */
  private static final List<String> FRAME = List.of("apiVersion", "kind", "metadata");

  private static final ObjectMapper JSON = new ObjectMapper(JsonLimits.factory());

  /**
   * A mapper that writes null and empty fields even if the annotations of the class exclude them.
   */
  private static final ObjectMapper WITH_EMPTY_FIELDS = new ObjectMapper(JsonLimits.factory());

  static {
    // The constructor configures the mapper in place, as it does for fabric8's own client.
    new KubernetesSerialization(JSON, false);
    new KubernetesSerialization(WITH_EMPTY_FIELDS, false);
    WITH_EMPTY_FIELDS.setAnnotationIntrospector(new EmptyFieldsIncluded());
  }

  private static final class EmptyFieldsIncluded extends JacksonAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    @Override
    public JsonInclude.Value findPropertyInclusion(Annotated annotated) {
      return JsonInclude.Value.ALL_ALWAYS;
    }
  }

  private final ObjectSerialization serialization;

  ObjectJson(ObjectSerialization serialization) {
    this.serialization = serialization;
  }

  private boolean isFast() {
    return serialization.equals(ObjectSerialization.DEFAULT);
  }

  private static ObjectReader reader(Class<?> target) {
    return JSON.readerFor(target)
        .without(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
        .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  }

  /** Decodes an object of a request. Ignores fields that the class does not have. */
  <T extends HasMetadata> T decode(RequestedObject object, Class<T> target)
      throws ConversionFailure {
    if (!isFast()) {
      return decode(tree(object), target);
    }
    ByteRange range = object.range();
    try {
      return reader(target).readValue(object.body(), range.from(), range.length());
    } catch (IOException | RuntimeException | StackOverflowError e) {
      throw misfit(target, e);
    }
  }

  /**
   * Decodes an object from a JSON tree, which may contain only the object's content. Ignores fields
   * that the class does not have.
   */
  <T extends HasMetadata> T decode(JsonNode tree, Class<T> target) throws ConversionFailure {
    try {
      return isFast() ? reader(target).readValue(tree) : serialization.convert(tree, target);
    } catch (IOException | RuntimeException | StackOverflowError e) {
      throw misfit(target, e);
    }
  }

  /** Parses JSON that is not part of a request. */
  static JsonNode parse(String json) throws ConversionFailure {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new ConversionFailure("it is not valid JSON", e);
    }
  }

  /** Parses an object of a request to a JSON tree. */
  static JsonNode tree(RequestedObject object) throws ConversionFailure {
    ByteRange range = object.range();
    try {
      return JSON.readTree(object.body(), range.from(), range.length());
    } catch (IOException | StackOverflowError e) {
      throw new ConversionFailure("it is not valid JSON", e);
    }
  }

  /** Returns the content of an object: all of its fields except apiVersion, kind and metadata. */
  static ObjectNode content(JsonNode object) {
    ObjectNode content = JSON.createObjectNode();
    if (object instanceof ObjectNode fields) {
      content.setAll(fields);
    }
    return content.remove(FRAME);
  }

  /**
   * Returns the content of an object, including the fields that are null or empty, unless the
   * program's own serialization omits them.
   */
  ObjectNode contentWithEmptyFields(HasMetadata object) throws ConversionFailure {
    return content(WITH_EMPTY_FIELDS, object);
  }

  /** Returns the content of an object, without the fields that its class omits. */
  ObjectNode content(HasMetadata object) throws ConversionFailure {
    return content(JSON, object);
  }

  private ObjectNode content(ObjectMapper mapper, HasMetadata object) throws ConversionFailure {
    try {
      ObjectNode tree =
          isFast() ? mapper.valueToTree(object) : serialization.convert(object, ObjectNode.class);
      return tree.remove(FRAME);
    } catch (RuntimeException | StackOverflowError e) {
      throw new ConversionFailure(
          "the result can't be written as JSON: " + e.getClass().getName(), e);
    }
  }

  static byte[] write(Object value) {
    try {
      return JSON.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can't be written as JSON", e);
    }
  }

  private static ConversionFailure misfit(Class<?> target, Throwable cause) {
    return new ConversionFailure("it " + UndecodableException.misfit(target, cause), cause);
  }
}
