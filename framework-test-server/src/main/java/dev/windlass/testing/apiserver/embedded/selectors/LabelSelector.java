// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.selectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.LabelSyntax;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A label selector. An object matches if it meets all requirements. Without requirements, all
 * objects match.
 */
public record LabelSelector(List<Requirement> requirements) {
  public LabelSelector {
    requirements = List.copyOf(requirements);
  }

  /**
   * The operators of requirements. An operator specifies how a label must relate to the values of a
   * requirement.
   */
  public enum Operator {
    IN,
    NOT_IN,
    EXISTS,
    ABSENT,
    GREATER,
    LESS
  }

  /** A requirement for one label. */
  public record Requirement(String key, Operator operator, Set<String> values) {

    boolean matches(JsonNode labels) {
      JsonNode value = labels.get(key);
      return switch (operator) {
        case IN -> value != null && values.contains(value.asText());
        case NOT_IN -> value == null || !values.contains(value.asText());
        case EXISTS -> value != null;
        case ABSENT -> value == null;
        case GREATER -> value != null && order(value.asText()) > 0;
        case LESS -> value != null && order(value.asText()) < 0;
      };
    }

    /**
     * Compares a label with the requirement's only value, as integers. Returns 0 if the label is
     * not an integer.
     */
    private int order(String label) {
      String value = values.iterator().next();
      try {
        return Long.compare(Long.parseLong(label), Long.parseLong(value));
      } catch (NumberFormatException e) {
        return 0;
      }
    }
  }

  /**
   * Parses the value of the query parameter {@code labelSelector}. Rejects invalid syntax with 400.
   */
  static LabelSelector parse(String text) {
    return new LabelSelector(LabelSelectorParser.parse(text));
  }

  static void checkKey(String key) {
    refuse(LabelSyntax.ofName("key", key, key));
  }

  /**
   * Creates a requirement. Rejects a value with 400 if it is not a valid label value, or is not
   * valid for the operator.
   */
  static Requirement checked(String key, Operator operator, Set<String> values) {
    if (operator == Operator.GREATER || operator == Operator.LESS) {
      String value = values.iterator().next();
      if (!value.matches("[+-]?\\d+")) {
        String path = "values[0]";
        String why = "for 'Gt', 'Lt' operators, the value must be an integer";
        refuse(List.of(FieldError.invalid(path, FieldError.quoted(value), why)));
      }
    }
    int index = 0;
    for (String value : values) {
      refuse(LabelSyntax.ofValue("values[" + index++ + "][" + key + "]", value));
    }
    return new Requirement(key, operator, values);
  }

  private static void refuse(List<FieldError> errors) {
    if (!errors.isEmpty()) {
      List<String> texts = errors.stream().map(FieldError::text).toList();
      String all = texts.size() == 1 ? texts.get(0) : "[" + String.join(", ", texts) + "]";
      throw StatusException.badRequest("unable to parse requirement: " + all);
    }
  }

  /**
   * Converts a selector from its JSON form, which contains {@code matchLabels} and {@code
   * matchExpressions}. The selector must be valid.
   */
  public static LabelSelector of(JsonNode selector) {
    List<Requirement> requirements = new ArrayList<>();
    for (var label : selector.path("matchLabels").properties()) {
      requirements.add(
          new Requirement(label.getKey(), Operator.IN, Set.of(label.getValue().asText())));
    }
    for (JsonNode expression : selector.path("matchExpressions")) {
      Set<String> values = new TreeSet<>();
      expression.path("values").forEach(value -> values.add(value.asText()));
      Operator operator =
          switch (expression.path("operator").asText()) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            default -> Operator.ABSENT;
          };
      requirements.add(new Requirement(expression.path("key").asText(), operator, values));
    }
    return new LabelSelector(requirements);
  }

  /** Returns whether the selector has no requirements and therefore selects all objects. */
  public boolean isEmpty() {
    return requirements.isEmpty();
  }

  boolean matches(ObjectNode object) {
    return matches(object.path("metadata").path("labels"));
  }

  /** Returns whether the given labels satisfy all requirements. */
  public boolean matches(JsonNode labels) {
    return requirements.stream().allMatch(requirement -> requirement.matches(labels));
  }
}
