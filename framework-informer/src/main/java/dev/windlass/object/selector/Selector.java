// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.selector;

import dev.windlass.object.selector.LabelRequirement.Operator;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A label selector with the API server's semantics ({@code k8s.io/apimachinery/pkg/labels}). A
 * selector matches the objects that meet all its requirements. These are the forms of a
 * requirement:
 *
 * <ul>
 *   <li>{@code a=x}, {@code a==x}, {@code a in (x,y)}: the label exists and has one of the values
 *   <li>{@code a!=x}, {@code a notin (x,y)}: the label has none of the values, <em>or does not
 *       exist</em>
 *   <li>{@code a}: the label exists, with any value
 *   <li>{@code !a}: the label does not exist
 *   <li>{@code a>1}, {@code a<1}: the label exists, and its value is an integer that is greater
 *       than, or less than, the given value
 * </ul>
 *
 * <p>Instances are immutable and thread-safe. Two selectors are equal if they have the same
 * requirements, regardless of how the requirements are written.
 */
public final class Selector {

  private static final Selector EVERYTHING = new Selector(List.of());

  private final List<LabelRequirement> requirements;

  private Selector(Collection<LabelRequirement> requirements) {
    this.requirements = requirements.stream().sorted(LabelRequirement.ORDER).distinct().toList();
  }

  /** Returns the selector without requirements, which matches every object. */
  public static Selector everything() {
    return EVERYTHING;
  }

  /**
   * Parses a selector in the syntax of {@code kubectl -l} and of the {@code labelSelector}
   * parameter of a request. For an empty string, returns {@link #everything()}.
   *
   * @throws IllegalArgumentException if the syntax of the selector is invalid, or if a key or a
   *     value is not valid for a label; the message quotes the string and states the position of
   *     the error
   */
  public static Selector parse(String text) {
    return new Selector(new SelectorParser(text).parse());
  }

  /**
   * Converts a selector from an API object, such as {@code spec.selector} of a Deployment. For an
   * empty selector, returns {@link #everything()}.
   *
   * @throws IllegalArgumentException if the API server would reject the selector; the message
   *     quotes the selector and states the reason
   */
  public static Selector of(io.fabric8.kubernetes.api.model.LabelSelector selector) {
    List<LabelRequirement> found = new ArrayList<>();
    try {
      Map<String, String> labels = selector.getMatchLabels();
      if (labels != null) {
        labels.forEach((key, value) -> found.add(checked(key, Operator.IN, listOf(value))));
      }
      for (LabelSelectorRequirement expression : selector.getMatchExpressions()) {
        found.add(checked(expression));
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "not a label selector: '" + selector + "': " + e.getMessage(), e);
    }
    return new Selector(found);
  }

  private static LabelRequirement checked(LabelSelectorRequirement expression) {
    String operator = String.valueOf(expression.getOperator());
    return checked(
        expression.getKey(),
        switch (operator) {
          case "In" -> Operator.IN;
          case "NotIn" -> Operator.NOT_IN;
          case "Exists" -> Operator.EXISTS;
          case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
          default ->
              throw new IllegalArgumentException(
                  "the operator '" + operator + "' is not one of In, NotIn, Exists, DoesNotExist");
        },
        expression.getValues());
  }

  /**
   * Checks and returns a requirement of a typed selector.
   *
   * @param key the key; null if the JSON of the selector does not contain it
   * @param values the values; null if the JSON of the selector does not contain them
   */
  private static LabelRequirement checked(
      @Nullable String key, Operator operator, @Nullable List<String> values) {
    String name = key == null ? "" : key;
    List<String> given = values == null ? List.of() : values;
    boolean needsValues = operator == Operator.IN || operator == Operator.NOT_IN;
    if (given.isEmpty() == needsValues) {
      throw new IllegalArgumentException(
          "the requirement on '" + name + "' must have " + (needsValues ? "" : "no ") + "values");
    }
    Stream.concat(
            Stream.ofNullable(LabelSyntax.problemOfKey(name)),
            given.stream().map(LabelSyntax::problemOfValue).flatMap(Stream::ofNullable))
        .findFirst()
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(problem);
            });
    return LabelRequirement.of(name, operator, given);
  }

  /**
   * Returns a list that contains only the given value. Null is treated as the empty value, as on
   * the server.
   */
  private static List<String> listOf(@Nullable String value) {
    return List.of(value == null ? "" : value);
  }

  /** Returns whether the given labels meet all requirements. */
  public boolean matches(Map<String, String> labels) {
    for (LabelRequirement requirement : requirements) {
      if (!requirement.matches(labels)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns true if every object that this selector matches is guaranteed to match the given
   * selector. This method compares the requirements one by one, so it can return false even if the
   * guarantee holds.
   */
  public boolean implies(Selector other) {
    return other.requirements.stream()
        .allMatch(wanted -> requirements.stream().anyMatch(own -> own.implies(wanted)));
  }

  /**
   * Returns a selector that matches the objects that both this selector and the given selector
   * match.
   */
  public Selector and(Selector other) {
    return new Selector(Stream.concat(requirements.stream(), other.requirements.stream()).toList());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Selector selector && requirements.equals(selector.requirements);
  }

  @Override
  public int hashCode() {
    return requirements.hashCode();
  }

  /**
   * Returns the selector in canonical form, which {@link #parse} and the API server accept.
   * Requirements and values are sorted, and a requirement with a single value is written with
   * {@code =}. For {@link #everything()}, the result is an empty string.
   */
  @Override
  public String toString() {
    return requirements.stream().map(LabelRequirement::toString).collect(Collectors.joining(","));
  }
}
