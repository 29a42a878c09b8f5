// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.selector;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * One requirement of a {@link Selector}. Its string form is canonical: {@code a in (x)} and {@code
 * a==x} both become {@code a=x}.
 *
 * @param key the label's key
 * @param operator the relation between the label and the values
 * @param values the values, sorted and without duplicates; empty for the two operators that only
 *     check the key
 */
record LabelRequirement(String key, Operator operator, List<String> values) {

  static final Comparator<LabelRequirement> ORDER =
      Comparator.comparing(LabelRequirement::key).thenComparing(LabelRequirement::toString);

  enum Operator {
    IN,
    /**
     * The label does not have any of the values. An object without the label also meets this
     * requirement.
     */
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST,
    /** The label's value is a number that is greater than the requirement's single value. */
    GREATER,
    /** The label's value is a number that is less than the requirement's single value. */
    LESS
  }

  static LabelRequirement of(String key, Operator operator, Collection<String> values) {
    return new LabelRequirement(key, operator, values.stream().sorted().distinct().toList());
  }

  boolean matches(Map<String, String> labels) {
    String value = labels.get(key);
    return switch (operator) {
      case IN -> value != null && values.contains(value);
      case NOT_IN -> value == null || !values.contains(value);
      case EXISTS -> value != null;
      case DOES_NOT_EXIST -> value == null;
      case GREATER -> value != null && isNumber(value) && number(value) > number(values.get(0));
      case LESS -> value != null && isNumber(value) && number(value) < number(values.get(0));
    };
  }

  /**
   * Returns true only if every set of labels that meets this requirement also meets the given
   * requirement.
   */
  boolean implies(LabelRequirement other) {
    if (!key.equals(other.key)) {
      return false;
    }
    return switch (operator) {
      case IN -> values.stream().allMatch(value -> other.matches(Map.of(key, value)));
      case DOES_NOT_EXIST -> other.matches(Map.of());
      case NOT_IN -> other.operator == Operator.NOT_IN && values.containsAll(other.values);
      case EXISTS -> other.operator == Operator.EXISTS;
      case GREATER, LESS -> impliesOfNumbers(other);
    };
  }

  private boolean impliesOfNumbers(LabelRequirement other) {
    return switch (other.operator) {
      case EXISTS -> true;
      case NOT_IN -> other.values.stream().noneMatch(value -> matches(Map.of(key, value)));
      case GREATER -> operator == Operator.GREATER && bound() >= other.bound();
      case LESS -> operator == Operator.LESS && bound() <= other.bound();
      case IN, DOES_NOT_EXIST -> false;
    };
  }

  private long bound() {
    return number(values.get(0));
  }

  static boolean isNumber(String text) {
    try {
      number(text);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static long number(String text) {
    return Long.parseLong(text);
  }

  @Override
  public String toString() {
    return switch (operator) {
      case IN -> values.size() == 1 ? key + "=" + values.get(0) : key + " in " + list();
      case NOT_IN -> values.size() == 1 ? key + "!=" + values.get(0) : key + " notin " + list();
      case EXISTS -> key;
      case DOES_NOT_EXIST -> "!" + key;
      case GREATER -> key + ">" + values.get(0);
      case LESS -> key + "<" + values.get(0);
    };
  }

  private String list() {
    return "(" + String.join(",", values) + ")";
  }
}
