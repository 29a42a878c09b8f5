// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.types.BuiltInSchemas;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Defines whether the value of a field has one owner as a whole, or whether its parts can have
 * different owners.
 */
public interface FieldShape {

  /** Returns the shape of an object of the given type. */
  static FieldShape of(ResourceType type) {
    return new SchemaShape(BuiltInSchemas.of(type), true);
  }

  /** Returns the shape of the given member of an object. */
  FieldShape member(String name);

  /** Returns the JSON type of the field, or an empty string if it can have any type. */
  String typeName();

  /** Returns the shape of a list's elements. */
  FieldShape elements();

  /** Returns whether an object can have a member with the given name. */
  boolean allows(String name);

  /**
   * Returns whether the schema of an object declares a member with the given name. A schema does
   * not declare the keys of a map. For built-in kinds, this method always returns true.
   */
  boolean declares(String name);

  /**
   * Returns whether the elements of a list can be owned separately. They are owned separately only
   * if each element has a {@linkplain #token token}.
   */
  boolean hasElements();

  /** Returns whether an object is owned as a whole. */
  boolean isAtomicObject();

  /**
   * Returns whether a list is a set. The elements of a set are strings or numbers, which are
   * identified by their values.
   */
  boolean isSet();

  /**
   * Returns the key fields of an element in a list that is merged by keys.
   *
   * @return the key fields, or null if the list is not merged by keys or the element has no key
   */
  @Nullable ObjectNode key(JsonNode element);

  /**
   * Returns the token that identifies a list element in {@code fieldsV1}, or null if the element
   * has no token. A list that contains an element without a token is owned as a whole.
   */
  default @Nullable String token(JsonNode element) {
    if (isSet()) {
      return "v:" + element;
    }
    ObjectNode key = key(element);
    if (key == null) {
      return null;
    }
    Map<String, JsonNode> sorted = new TreeMap<>();
    key.properties().forEach(field -> sorted.put(field.getKey(), field.getValue()));
    return "k:" + Json.object().setAll(sorted);
  }

  /**
   * Returns whether the elements of the given list are owned separately. This is the case only if
   * each element has a token.
   */
  default boolean isDivided(JsonNode list) {
    for (JsonNode element : list) {
      if (token(element) == null) {
        return false;
      }
    }
    return hasElements();
  }
}
