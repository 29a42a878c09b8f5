// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Reduces an object that has a given property, such as failing a test, to a smaller object with the
 * same property. Removes fields and list elements that the property does not depend on.
 */
final class TreeShrinker {

  private final Predicate<ObjectNode> property;
  private final Predicate<FieldPath> isRequired;

  /**
   * Creates a shrinker.
   *
   * @param property tests whether an object has the property
   * @param isRequired tests whether the field at a path must remain in the object
   */
  TreeShrinker(Predicate<ObjectNode> property, Predicate<FieldPath> isRequired) {
    this.property = property;
    this.isRequired = isRequired;
  }

  /**
   * A field or list element of the object.
   *
   * @param steps the path from the root of the object: field names, and the indexes of list
   *     elements
   */
  private record Part(List<Object> steps) {

    Part then(Object step) {
      List<Object> longer = new ArrayList<>(steps);
      longer.add(step);
      return new Part(longer);
    }

    void removeFrom(ObjectNode object) {
      JsonNode parent = object;
      for (Object step : steps.subList(0, steps.size() - 1)) {
        parent = step instanceof Integer index ? parent.get(index) : parent.get((String) step);
      }
      Object last = steps.get(steps.size() - 1);
      if (parent instanceof ArrayNode array) {
        array.remove((Integer) last);
      } else {
        ((ObjectNode) parent).remove((String) last);
      }
    }
  }

  /**
   * Returns a smaller copy of the object that still has the property, or the object itself if no
   * part can be removed.
   */
  ObjectNode shrink(ObjectNode object) {
    ObjectNode smallest = object;
    boolean smaller = true;
    while (smaller) {
      smaller = false;
      for (Part part : parts(smallest)) {
        ObjectNode candidate = smallest.deepCopy();
        part.removeFrom(candidate);
        if (property.test(candidate)) {
          smallest = candidate;
          smaller = true;
          break; // the positions of the other parts may have changed
        }
      }
    }
    return smallest;
  }

  /** Returns the parts that may be removed. Parts closer to the root come first. */
  private List<Part> parts(ObjectNode object) {
    List<Part> all = new ArrayList<>();
    collect(object, new Part(List.of()), FieldPath.ROOT, all);
    all.sort((one, other) -> Integer.compare(one.steps().size(), other.steps().size()));
    return all;
  }

  private void collect(JsonNode node, Part at, FieldPath path, List<Part> found) {
    if (node instanceof ObjectNode object) {
      object
          .fieldNames()
          .forEachRemaining(
              name -> {
                FieldPath field = path.then(name);
                if (!isRequired.test(field)) {
                  found.add(at.then(name));
                }
                collect(object.get(name), at.then(name), field, found);
              });
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        found.add(at.then(i));
        collect(array.get(i), at.then(i), path.then(FieldPath.ELEMENTS), found);
      }
    }
  }
}
