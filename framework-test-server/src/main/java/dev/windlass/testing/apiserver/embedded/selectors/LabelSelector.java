// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.selectors;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.LabelSyntax;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A label selector. An object matches if it meets all requirements. Without requirements, all
 * objects match.
 */
public record LabelSelector(List<Requirement> requirements) {
  private static final String WORD = "[^\\s=!(),<>]+";

  /** One requirement, and the comma or the end that follows it. */
  private static final Pattern REQUIREMENT =
      Pattern.compile(
          """
          \\s*(?:!\\s*(?<absent>%1$s)|(?<key>%1$s)\
          (?:\\s+(?<set>in|notin)\\s*\\((?<values>[^()=!<>]*)\\)\
          |\\s*(?<operator>==?|!=|>|<)\\s*(?<value>%1$s)?)?)\\s*(?:,|$)"""
              .formatted(WORD));

  private static final Map<String, Operator> OPERATORS =
      Map.of(
          "in", Operator.IN,
          "notin", Operator.NOT_IN,
          "=", Operator.IN,
          "==", Operator.IN,
          "!=", Operator.NOT_IN,
          ">", Operator.GREATER,
          "<", Operator.LESS);

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
    List<Requirement> requirements = new ArrayList<>();
    Matcher next = REQUIREMENT.matcher(text);
    boolean complete = !text.strip().endsWith(",");
    int at = text.isBlank() ? text.length() : 0;
    while (complete && at < text.length()) {
      complete = next.region(at, text.length()).lookingAt();
      if (complete) {
        requirements.add(requirement(next));
        at = next.end();
      }
    }
    if (!complete) {
      throw StatusException.badRequest("unable to parse the label selector '" + text + "'");
    }
    return new LabelSelector(requirements);
  }

  private static Requirement requirement(Matcher parsed) {
    boolean absent = parsed.group("absent") != null;
    String key = parsed.group(absent ? "absent" : "key");
    boolean set = parsed.group("set") != null;
    String name = parsed.group(set ? "set" : "operator");
    Set<String> values = new TreeSet<>();
    if (name != null) {
      String given = Objects.requireNonNullElse(parsed.group(set ? "values" : "value"), "");
      Arrays.stream(given.split(",", -1)).map(String::strip).forEach(values::add);
    }
    Operator operator =
        name != null
            ? requireNonNull(OPERATORS.get(name))
            : absent ? Operator.ABSENT : Operator.EXISTS;
    boolean ordered = operator == Operator.GREATER || operator == Operator.LESS;
    List<FieldError> errors = new ArrayList<>(LabelSyntax.ofName("key", key));
    for (String value : values) {
      errors.addAll(LabelSyntax.ofValue("values", value));
      if (ordered && !value.matches("[+-]?\\d+")) {
        errors.add(FieldError.invalid("values", value, "must be an integer"));
      }
    }
    if (!errors.isEmpty()) {
      throw StatusException.badRequest("unable to parse requirement: " + FieldError.texts(errors));
    }
    return new Requirement(key, operator, values);
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
