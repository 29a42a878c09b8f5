// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.apply;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares the values in an apply configuration with the values in an object. Both are given as
 * JSON trees.
 */
final class AppliedValues {

  private AppliedValues() {}

  /**
   * Copies the object's values of the given fields to {@code found}. Lists are copied as a whole.
   *
   * @param named a tree with the fields to copy
   * @return whether the object has a value for each of these fields. A missing value is treated as
   *     zero, false or empty
   */
  static boolean take(Map<?, ?> named, Map<?, ?> object, Map<Object, Object> found) {
    boolean complete = true;
    for (Map.Entry<?, ?> field : named.entrySet()) {
      Object value = object.get(field.getKey());
      if (field.getValue() instanceof Map<?, ?> below && value instanceof Map<?, ?> map) {
        Map<Object, Object> taken = new LinkedHashMap<>();
        complete &= take(below, map, taken);
        found.put(field.getKey(), taken);
      } else {
        complete &= value != null || contains(field.getValue(), null, false);
        found.put(field.getKey(), value);
      }
    }
    return complete;
  }

  /**
   * Returns whether {@code value} contains all fields and list elements of {@code named}. A missing
   * value is treated as zero, false or empty, because the server omits such values. {@code named}
   * must have the form in which the server stores values; see {@link
   * dev.windlass.object.patch.StoredForm}.
   *
   * @param wholeLists whether a list must have the same elements in the same order. If false, the
   *     list can contain additional elements
   */
  static boolean contains(@Nullable Object named, @Nullable Object value, boolean wholeLists) {
    if (named == null || isEmpty(named)) {
      return isEmpty(value) || (named instanceof Map<?, ?> && value instanceof Map<?, ?>);
    }
    if (named instanceof Map<?, ?> fields) {
      Map<?, ?> map = value instanceof Map<?, ?> given ? given : Map.of();
      return (value == null || value == map)
          && fields.entrySet().stream()
              .allMatch(field -> contains(field.getValue(), map.get(field.getKey()), wholeLists));
    }
    if (named instanceof List<?> elements) {
      return value instanceof List<?> list
          && (wholeLists
              ? elements.size() == list.size()
                  && IntStream.range(0, list.size())
                      .allMatch(i -> contains(elements.get(i), list.get(i), true))
              : elements.stream()
                  .allMatch(
                      element -> list.stream().anyMatch(other -> contains(element, other, false))));
    }
    return value == null
        ? named.equals("") || named.equals(false) || named.equals(0)
        : named.equals(value);
  }

  /** Returns whether two values are equal. A missing value is treated as zero, false or empty. */
  static boolean isSame(@Nullable Object wanted, @Nullable Object value) {
    return contains(wanted, value, true) && (value == null || contains(value, wanted, true));
  }

  private static boolean isEmpty(@Nullable Object value) {
    return value == null
        || (value instanceof Map<?, ?> map && map.isEmpty())
        || (value instanceof List<?> list && list.isEmpty());
  }
}
