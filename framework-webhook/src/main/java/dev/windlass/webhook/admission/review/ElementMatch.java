// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission.review;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.BitSet;

/** Matches the elements of a changed list with those of the list before the change. */
final class ElementMatch {

  /** The fields that identify an element in the lists of Kubernetes, in order of precedence. */
  private static final String[] KEYS = {"name", "key", "type", "containerPort", "port", "uid"};

  private final int[] origins;
  private final int earlier;

  private ElementMatch(int[] origins, int earlier) {
    this.origins = origins;
    this.earlier = earlier;
  }

  /**
   * Matches each element of the changed list with an earlier element. An equal element has
   * priority, followed by an element with the same key.
   *
   * <p>Of the remaining elements, those at the same position match if the two lists have the same
   * length. If the list has become longer, they match only if they have no key field in common. If
   * it has become shorter, they do not match.
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
   * Returns whether all earlier elements are still at their positions, so that any new elements are
   * at the end of the list.
   */
  boolean inPlace() {
    for (int i = 0; i < origins.length; i++) {
      if (origins[i] != (i < earlier ? i : -1)) {
        return false;
      }
    }
    return origins.length >= earlier;
  }

  /** Returns the index of the matching earlier element, or -1 for a new element. */
  int origin(int element) {
    return origins[element];
  }
}
