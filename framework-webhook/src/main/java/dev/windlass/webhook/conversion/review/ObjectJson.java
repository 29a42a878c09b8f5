// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.json.JsonLimits;
import dev.windlass.logging.OneLine;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.object.UndecodableException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.util.List;

/**
 * Converts JSON trees to typed objects and back. No error message contains a value of an object.
 *
 * @param serialization the serialization that the program has chosen
 */
record ObjectJson(ObjectSerialization serialization) {

  /** The fields that are not part of an object's content. */
  private static final List<String> FRAME = List.of("apiVersion", "kind", "metadata");

  /** The maximum length of a name in a message. The API server does not accept longer names. */
  private static final int LONGEST_NAME = 253;

  /** Keeps all digits of numbers, so that the fields that no class declares are not changed. */
  private static final ObjectMapper EXACT =
      new ObjectMapper(JsonLimits.factory())
          .enable(
              DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS,
              DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY,
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false);

  /** Reads decimals as doubles, which is how fields without a type get them. */
  private static final ObjectReader DOUBLES =
      EXACT.readerFor(JsonNode.class).without(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /** Writes null and empty fields even if the annotations of the class exclude them. */
  private static final ObjectMapper WITH_EMPTY_FIELDS = new ObjectMapper();

  static {
    // The constructor configures the mapper in place, as it does for fabric8's own client.
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

  /**
   * Parses a JSON object.
   *
   * @throws IOException if it is not a JSON object or exceeds the {@link JsonLimits}
   */
  static ObjectNode parse(byte[] json) throws IOException {
    if (EXACT.readTree(json) instanceof ObjectNode object) {
      return object;
    }
    throw new IOException("this is not a JSON object");
  }

  static byte[] write(JsonNode tree) {
    try {
      return EXACT.writeValueAsBytes(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can't be written as JSON", e);
    }
  }

  /** Returns the name of an object for messages, such as {@code Tool shop/web}. */
  static String name(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    String namespace = metadata.path("namespace").asText();
    String name = metadata.path("name").asText();
    String key = name.isEmpty() ? "without a name" : name;
    return OneLine.of(object.path("kind").asText(), LONGEST_NAME)
        + " "
        + OneLine.of(namespace.isEmpty() ? key : namespace + "/" + key, 2 * LONGEST_NAME);
  }

  /** Returns the content of an object: all of its fields except apiVersion, kind and metadata. */
  static ObjectNode content(ObjectNode object) {
    return object.objectNode().<ObjectNode>setAll(object).remove(FRAME);
  }

  /**
   * Decodes an object from a JSON tree, which may contain only the object's content. Ignores fields
   * that the class does not have.
   */
  <T extends HasMetadata> T decode(JsonNode tree, Class<T> target) throws ConversionFailure {
    try {
      return serialization.convert(DOUBLES.readTree(EXACT.writeValueAsBytes(tree)), target);
    } catch (UndecodableException e) {
      throw new ConversionFailure("it " + e.problem(), e);
    } catch (IOException | RuntimeException | StackOverflowError e) {
      throw new ConversionFailure("it " + UndecodableException.misfit(target, e), e);
    }
  }

  /** Returns the content of an object, without the fields that its class omits. */
  ObjectNode content(HasMetadata object) throws ConversionFailure {
    try {
      return content(
          parse(EXACT.writeValueAsBytes(serialization.convert(object, ObjectNode.class))));
    } catch (IOException | RuntimeException | StackOverflowError e) {
      throw unwritable(e);
    }
  }

  /**
   * Returns the content of an object, including the fields that are null or empty, unless the
   * program's own serialization omits them.
   */
  ObjectNode contentWithEmptyFields(HasMetadata object) throws ConversionFailure {
    if (!serialization.equals(ObjectSerialization.DEFAULT)) {
      return content(object);
    }
    try {
      return content(parse(WITH_EMPTY_FIELDS.writeValueAsBytes(object)));
    } catch (IOException | RuntimeException | StackOverflowError e) {
      throw unwritable(e);
    }
  }

  private static ConversionFailure unwritable(Throwable cause) {
    return new ConversionFailure(
        "the result can't be written as JSON: " + cause.getClass().getName(), cause);
  }
}
