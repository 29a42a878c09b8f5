// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission.review;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.BitSet;

/** Matches the elements of a list with the elements of its earlier state. */
final class ElementMatch {

  /**
   * The fields by which Kubernetes identifies the elements of its lists, in order of precedence.
   */
  private static final String[] KEYS = {"name", "key", "type", "containerPort", "port", "uid"};

  private final int[] origins;
  private final int earlier;

  private ElementMatch(int[] origins, int earlier) {
    this.origins = origins;
    this.earlier = earlier;
  }

  /**
   * Compares two states of a list. This method matches each element with an equal element of the
   * earlier state or, if there is none, with the earlier element that has the same key. If there is
   * neither, and the list has not become shorter, this method matches the element with the earlier
   * element at the same position. If the list has become longer, this applies only to elements
   * without a common key field.
   */
  static ElementMatch of(JsonNode before, JsonNode after) {
    int[] origins = new int[after.size()];
    Arrays.fill(origins, -1);
    BitSet taken = new BitSet();
    for (int i = 0; i < after.size(); i++) {
      if (i < before.size() && before.get(i).equals(after.get(i))) {
        origins[i] = i;
        taken.set(i);
      }
    }
    for (int i = 0; i < after.size(); i++) {
      for (int j = 0; origins[i] < 0 && j < before.size(); j++) {
        if (!taken.get(j) && before.get(j).equals(after.get(i))) {
          origins[i] = j;
          taken.set(j);
        }
      }
    }
    for (int i = 0; i < after.size(); i++) {
      for (int j = 0; origins[i] < 0 && j < before.size(); j++) {
        if (!taken.get(j) && haveSameKey(before.get(j), after.get(i))) {
          origins[i] = j;
          taken.set(j);
        }
      }
    }
    for (int i = 0; i < before.size() && before.size() <= after.size(); i++) {
      boolean isChanged = before.size() == after.size() || !haveKeys(before, after, i);
      if (origins[i] < 0 && !taken.get(i) && isChanged) {
        origins[i] = i;
        taken.set(i);
      }
    }
    return new ElementMatch(origins, before.size());
  }

  private static boolean haveKeys(JsonNode before, JsonNode after, int i) {
    for (String key : KEYS) {
      if (before.get(i).has(key) && after.get(i).has(key)) {
        return true; // elements with equal keys were already matched
      }
    }
    return false;
  }

  private static boolean haveSameKey(JsonNode one, JsonNode other) {
    for (String key : KEYS) {
      if (one.has(key) || other.has(key)) {
        return one.path(key).equals(other.path(key));
      }
    }
    return false;
  }

  /**
   * Returns whether each earlier element is still at its position, and all new elements are at the
   * end.
   */
  boolean inPlace() {
    for (int i = 0; i < origins.length; i++) {
      if (origins[i] != (i < earlier ? i : -1)) {
        return false;
      }
    }
    return origins.length >= earlier;
  }

  /** Returns the earlier position of an element, or -1 for a new element. */
  int origin(int element) {
    return origins[element];
  }
}
