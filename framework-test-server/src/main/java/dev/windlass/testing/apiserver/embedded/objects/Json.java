// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.objects;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Function;

/** Parses, writes, compares and copies JSON trees. All methods are thread-safe. */
public final class Json {
  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /**
   * A comparator that treats numbers of equal value as equal, such as 1, 1L and 1.0. It only
   * distinguishes equal values from different values.
   */
  private static final Comparator<JsonNode> BY_VALUE =
      (a, b) -> {
        boolean numbers = a.isNumber() && b.isNumber();
        boolean same = numbers ? a.decimalValue().compareTo(b.decimalValue()) == 0 : a.equals(b);
        return same ? 0 : 1;
      };

  private Json() {}

  /** Returns whether both trees are equivalent, regardless of the order of fields. */
  public static boolean same(JsonNode a, JsonNode b) {
    return a.equals(BY_VALUE, b);
  }

  /** Returns a copy of an object as a map. */
  public static Map<String, Object> map(ObjectNode object) {
    return MAPPER.convertValue(object, new TypeReference<>() {});
  }

  /** Creates an empty object. */
  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** Parses {@code bytes} as JSON. Rejects invalid JSON with 400. */
  public static JsonNode parse(byte[] bytes) {
    return parse(bytes, StatusException::badRequest);
  }

  /**
   * Parses {@code bytes} as JSON.
   *
   * @param refusal the function that creates the exception to throw for invalid JSON
   */
  public static JsonNode parse(byte[] bytes, Function<String, StatusException> refusal) {
    try {
      JsonNode tree = MAPPER.readTree(bytes);
      if (tree == null || tree.isMissingNode()) {
        throw refusal.apply("the body is empty");
      }
      return tree;
    } catch (JsonProcessingException e) {
      throw refusal.apply("the body is not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Parses {@code bytes} as a JSON object. Rejects any other content with 400. */
  public static ObjectNode parseObject(byte[] bytes) {
    if (parse(bytes) instanceof ObjectNode object) {
      return object;
    }
    throw StatusException.badRequest("the request body is not a JSON object");
  }

  /** Returns the JSON of the given tree as UTF-8, without insignificant white space. */
  public static byte[] bytes(JsonNode tree) {
    try {
      return MAPPER.writeValueAsBytes(tree);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns a shallow copy of {@code object}. The copy and the original share the values of all
   * fields.
   */
  public static ObjectNode shallowCopy(ObjectNode object) {
    ObjectNode copy = object();
    copy.setAll(object);
    return copy;
  }

  /**
   * Returns a copy without the given top-level fields. The copy shares the values of the other
   * fields.
   */
  public static ObjectNode without(ObjectNode object, String... fields) {
    ObjectNode copy = shallowCopy(object);
    for (String field : fields) {
      copy.remove(field);
    }
    return copy;
  }
}
