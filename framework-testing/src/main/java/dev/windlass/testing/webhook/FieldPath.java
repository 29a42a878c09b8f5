// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.webhook;

import java.util.ArrayList;
import java.util.List;

/**
 * The path of a field, such as {@code spec.parts[].weight}.
 *
 * @param steps the field names from the root of the object to the field; {@code []} stands for
 *     every element of a list, and {@code *} for every value of a map
 */
record FieldPath(List<String> steps) {

  static final String ELEMENTS = "[]";
  static final String VALUES = "*";
  static final FieldPath ROOT = new FieldPath(List.of());

  FieldPath {
    steps = List.copyOf(steps);
  }

  /**
   * Parses a path.
   *
   * @throws IllegalArgumentException if the text is not a path
   */
  static FieldPath parse(String text) {
    if (!text.matches("[^.\\[\\]]+(\\[])*(\\.[^.\\[\\]]+(\\[])*)*")) {
      throw new IllegalArgumentException(
          "'" + text + "' is not the path of a field, such as spec.parts[].weight");
    }
    return new FieldPath(List.of(text.replace(ELEMENTS, "." + ELEMENTS).split("\\.")));
  }

  FieldPath then(String step) {
    List<String> longer = new ArrayList<>(steps);
    longer.add(step);
    return new FieldPath(longer);
  }

  /** Returns whether the given pattern matches this path. */
  boolean matches(FieldPath pattern) {
    return steps.size() == pattern.steps.size() && startsLike(pattern);
  }

  /** Returns whether the given pattern matches a field within the field at this path. */
  boolean contains(FieldPath pattern) {
    return steps.size() < pattern.steps.size() && startsLike(pattern);
  }

  private boolean startsLike(FieldPath pattern) {
    for (int i = 0; i < steps.size(); i++) {
      String step = pattern.steps.get(i);
      if (!step.equals(VALUES) && !step.equals(steps.get(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return String.join(".", steps).replace("." + ELEMENTS, ELEMENTS);
  }
}
