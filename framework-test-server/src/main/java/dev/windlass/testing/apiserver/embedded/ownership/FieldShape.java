// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Defines how a field's value is divided among its owners: as a whole, or in parts. */
public interface FieldShape {

  /** Returns the root shape of a type's objects. */
  static FieldShape of(ResourceType type) {
    ObjectNode schema = type.schema();
    return schema == null
        ? BuiltInShape.of(type.model())
        : new SchemaShape(schema, BuiltInShape.of(GenericKubernetesResource.class));
  }

  /** Returns the shape of an object's member. */
  FieldShape member(String name);

  /** Returns the JSON type of the field, or an empty string if it can have any type. */
  String typeName();

  /** Returns the names of a list's key fields, as Go prints them. */
  default String keyNames() {
    return "[]";
  }

  /** Returns the shape of a list's elements. */
  FieldShape elements();

  /** Returns whether an object can have a member with the given name. */
  boolean allows(String name);

  /**
   * Returns whether the schema declares the given member of an object. A schema does not declare
   * the members of a map. For built-in kinds, always returns true.
   */
  boolean declares(String name);

  /**
   * Returns whether the elements of a list are owned separately, provided that each element has a
   * {@linkplain #token token}.
   */
  boolean hasElements();

  /** Returns whether an object is owned as a whole. */
  boolean isAtomicObject();

  /**
   * Returns whether a list is a set, whose elements are strings or numbers that are identified by
   * their values.
   */
  boolean isSet();

  /**
   * Returns the key fields of an element in a list that is merged by keys.
   *
   * @return the key fields, or null if the list is not merged by keys or the element does not have
   *     a key
   */
  @Nullable ObjectNode key(JsonNode element);

  /**
   * Returns the token that identifies a list element in {@code fieldsV1}, or null if the element
   * has no token. In that case, the list is owned as a whole.
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
   * Returns whether the elements of the list are owned separately, which requires that each element
   * has a token.
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
