// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How the values of one field are divided among those who apply it: as a whole, or in parts. */
interface FieldShape {

  /** The shapes of a type's objects, from the top. */
  static FieldShape of(ResourceType type) {
    ObjectNode schema = type.schema();
    FieldShape builtIn = new BuiltInShape("");
    return schema == null ? builtIn : new SchemaShape(schema, builtIn);
  }

  /** The shape of a member of an object. */
  FieldShape member(String name);

  /** The shape of the elements of a list. */
  FieldShape elements();

  /** Whether an object is owned as a whole. */
  boolean isAtomicObject();

  /** Whether the elements of a list are texts or numbers that stand for themselves. */
  boolean isSet();

  /**
   * The key fields of an element of a list that is merged by keys.
   *
   * @return null if the list is none of these, or the element has no key
   */
  @Nullable ObjectNode key(JsonNode element);

  /**
   * The element of a list as it stands in {@code fieldsV1}; null in lists that are owned as a
   * whole.
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

  /** Whether each element of the list has a token. */
  default boolean isDivided(JsonNode list) {
    for (JsonNode element : list) {
      if (token(element) == null) {
        return false;
      }
    }
    return isSet() || !list.isEmpty();
  }
}
