// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.ownership.FieldPath;
import dev.windlass.testing.apiserver.embedded.ownership.FieldShape;
import java.util.Objects;

/**
 * Merges an applied configuration into an object, and removes fields that are no longer desired.
 */
final class FieldMerge {

  private FieldMerge() {}

  /** Returns the object merged with the configuration. Neither argument is modified. */
  static JsonNode merge(FieldShape shape, JsonNode live, JsonNode config) {
    if (live instanceof ObjectNode object
        && config instanceof ObjectNode wanted
        && !shape.isAtomicObject()) {
      ObjectNode merged = object.deepCopy();
      for (var field : wanted.properties()) {
        String name = field.getKey();
        if (!field.getValue().isNull()) {
          merged.set(name, merge(shape.member(name), merged.path(name), field.getValue()));
        }
      }
      return merged;
    }
    if (live instanceof ArrayNode list
        && config instanceof ArrayNode wanted
        && shape.isDivided(list)
        && shape.isDivided(wanted)) {
      return mergeLists(shape, list, wanted);
    }
    return config.deepCopy();
  }

  /**
   * Merges the elements of both lists. The elements in the configuration keep the order that they
   * have there. Each of the other elements remains as close as possible to its previous position.
   */
  private static ArrayNode mergeLists(FieldShape shape, ArrayNode list, ArrayNode wanted) {
    ArrayNode merged = list.arrayNode();
    int next = 0;
    for (JsonNode element : wanted) {
      while (next < list.size() && indexOf(shape, wanted, list.path(next)) < 0) {
        merged.add(list.path(next++).deepCopy());
      }
      int known = indexOf(shape, list, element);
      merged.add(
          known < 0 ? element.deepCopy() : merge(shape.elements(), list.path(known), element));
      if (known == next) {
        next++;
      }
    }
    while (next < list.size()) {
      JsonNode element = list.path(next++);
      if (indexOf(shape, wanted, element) < 0) {
        merged.add(element.deepCopy());
      }
    }
    return merged;
  }

  private static int indexOf(FieldShape shape, ArrayNode list, JsonNode element) {
    return indexOf(shape, list, String.valueOf(shape.token(element)));
  }

  private static int indexOf(FieldShape shape, ArrayNode list, String token) {
    for (int i = 0; i < list.size(); i++) {
      if (Objects.equals(shape.token(list.path(i)), token)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Removes the value at the path from an object in place. Also removes the fields that become
   * empty as a result.
   */
  static void remove(FieldShape shape, JsonNode object, FieldPath path) {
    remove(shape, object, path, 0);
  }

  private static void remove(FieldShape shape, JsonNode at, FieldPath path, int depth) {
    String token = path.tokens().get(depth);
    boolean last = depth == path.tokens().size() - 1;
    if (at instanceof ObjectNode object && token.startsWith("f:")) {
      String name = token.substring(2);
      JsonNode child = object.path(name);
      if (!last) {
        remove(shape.member(name), child, path, depth + 1);
      }
      if (last || (child.isContainerNode() && child.isEmpty())) {
        object.remove(name);
      }
    } else if (at instanceof ArrayNode list) {
      int index = indexOf(shape, list, token);
      if (index >= 0 && last) {
        list.remove(index);
      } else if (index >= 0) {
        remove(shape.elements(), list.path(index), path, depth + 1);
      }
    }
  }
}
