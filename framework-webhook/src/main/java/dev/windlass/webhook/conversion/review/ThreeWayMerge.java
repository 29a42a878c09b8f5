// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges two changes to the same JSON value. In a conflict, the first change wins.
 *
 * <p>An element of a list corresponds to an equal element of the original list, preferably the one
 * at the same position.
 */
final class ThreeWayMerge {

  private ThreeWayMerge() {}

  /**
   * Merges two changes.
   *
   * @param base the original value; null if the field was absent
   * @param ours the value after the first change
   * @param theirs the value after the second change
   * @return the merged value, or null if the result does not contain the field
   */
  static @Nullable JsonNode merge(
      @Nullable JsonNode base, @Nullable JsonNode ours, @Nullable JsonNode theirs) {
    if (Objects.equals(base, ours)) {
      return theirs;
    }
    if (Objects.equals(base, theirs)) {
      return ours;
    }
    if (base instanceof ObjectNode b
        && ours instanceof ObjectNode o
        && theirs instanceof ObjectNode t) {
      return objects(b, o, t);
    }
    if (base instanceof ArrayNode b
        && ours instanceof ArrayNode o
        && theirs instanceof ArrayNode t
        && b.size() == t.size()) {
      return arrays(b, o, t);
    }
    return ours;
  }

  private static ObjectNode objects(ObjectNode base, ObjectNode ours, ObjectNode theirs) {
    Set<String> names = new LinkedHashSet<>();
    ours.fieldNames().forEachRemaining(names::add);
    theirs.fieldNames().forEachRemaining(names::add);
    ObjectNode merged = JsonNodeFactory.instance.objectNode();
    for (String name : names) {
      JsonNode value = merge(base.get(name), ours.get(name), theirs.get(name));
      if (value != null) {
        merged.set(name, value);
      }
    }
    return merged;
  }

  private static ArrayNode arrays(ArrayNode base, ArrayNode ours, ArrayNode theirs) {
    boolean[] used = new boolean[base.size()];
    ArrayNode merged = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < ours.size(); i++) {
      if (i < base.size() && base.get(i).equals(ours.get(i))) {
        used[i] = true;
      }
    }
    for (int i = 0; i < ours.size(); i++) {
      JsonNode element = ours.get(i);
      if (i < base.size() && base.get(i).equals(element)) {
        merged.add(theirs.get(i));
      } else {
        int same = unused(base, element, used);
        merged.add(same < 0 ? element : theirs.get(same));
      }
    }
    return merged;
  }

  /**
   * Returns the position of an equal, unused element of the original list, and marks that element
   * as used. Returns -1 if there is no such element.
   */
  private static int unused(ArrayNode base, JsonNode element, boolean[] used) {
    for (int i = 0; i < used.length; i++) {
      if (!used[i] && base.get(i).equals(element)) {
        used[i] = true;
        return i;
      }
    }
    return -1;
  }
}
