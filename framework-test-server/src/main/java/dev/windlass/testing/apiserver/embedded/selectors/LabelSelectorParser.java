// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.selectors;

import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.selectors.LabelSelector.Operator;
import dev.windlass.testing.apiserver.embedded.selectors.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Parses label selectors as {@code k8s.io/apimachinery/pkg/labels} does, and reports syntax errors
 * with the same messages.
 */
final class LabelSelectorParser {
  private static final String SPECIAL = "=!(),<>";
  private static final Map<String, Operator> OPERATORS =
      Map.of(
          "in", Operator.IN,
          "notin", Operator.NOT_IN,
          "=", Operator.IN,
          "==", Operator.IN,
          "!=", Operator.NOT_IN,
          ">", Operator.GREATER,
          "<", Operator.LESS);

  private final List<String> tokens = new ArrayList<>();
  private int next;

  private LabelSelectorParser(String text) {
    int i = 0;
    while (i < text.length()) {
      int start = i;
      if (Character.isWhitespace(text.charAt(i))) {
        i++;
        continue;
      }
      boolean special = isSpecial(text, i);
      while (i < text.length()
          && !Character.isWhitespace(text.charAt(i))
          && isSpecial(text, i) == special
          && (i == start || !special || isOperator(text.substring(start, i + 1)))) {
        i++;
      }
      tokens.add(text.substring(start, i));
    }
  }

  private static boolean isSpecial(String text, int i) {
    return SPECIAL.indexOf(text.charAt(i)) >= 0;
  }

  private static boolean isOperator(String token) {
    return OPERATORS.containsKey(token);
  }

  /** Parses a label selector and returns its requirements. */
  static List<Requirement> parse(String text) {
    return new LabelSelectorParser(text).requirements();
  }

  private String peek() {
    return next < tokens.size() ? tokens.get(next) : "";
  }

  private String take() {
    String token = peek();
    next++;
    return token;
  }

  private static boolean isIdentifier(String token) {
    return !token.isEmpty() && SPECIAL.indexOf(token.charAt(0)) < 0;
  }

  private static StatusException error(String message) {
    return StatusException.badRequest(message);
  }

  private static StatusException requirementError(String message) {
    return error("unable to parse requirement: " + message);
  }

  private List<Requirement> requirements() {
    List<Requirement> requirements = new ArrayList<>();
    while (!peek().isEmpty()) {
      if (!isIdentifier(peek()) && !peek().equals("!")) {
        throw error("found '%s', expected: !, identifier, or 'end of string'".formatted(peek()));
      }
      requirements.add(requirement());
      String separator = take();
      if (separator.isEmpty()) {
        return requirements;
      } else if (!separator.equals(",")) {
        throw error("found '%s', expected: ',' or 'end of string'".formatted(separator));
      } else if (!isIdentifier(peek()) && !peek().equals("!")) {
        throw error("found '%s', expected: identifier after ','".formatted(peek()));
      }
    }
    return requirements;
  }

  private Requirement requirement() {
    boolean absent = peek().equals("!");
    if (absent) {
      next++;
    }
    String key = take();
    if (!isIdentifier(key)) {
      throw requirementError("found '%s', expected: identifier".formatted(key));
    }
    LabelSelector.checkKey(key);
    if (peek().isEmpty() || peek().equals(",")) {
      return new Requirement(key, absent ? Operator.ABSENT : Operator.EXISTS, Set.of());
    }
    if (absent) {
      return new Requirement(key, Operator.ABSENT, Set.of());
    }
    String name = take();
    Operator operator = OPERATORS.get(name);
    if (operator == null) {
      throw requirementError("found '%s', expected: in, notin, =, ==, !=, gt, lt".formatted(name));
    }
    Set<String> values = isIdentifier(name) ? values() : Set.of(value());
    return LabelSelector.checked(key, operator, values);
  }

  private String value() {
    if (peek().isEmpty() || peek().equals(",")) {
      return "";
    }
    String value = take();
    if (!isIdentifier(value)) {
      throw requirementError("found '%s', expected: identifier".formatted(value));
    }
    return value;
  }

  private Set<String> values() {
    String open = take();
    if (!open.equals("(")) {
      throw requirementError("found '%s' expected: '('".formatted(open));
    }
    Set<String> values = new TreeSet<>();
    while (true) {
      String token = take();
      if (token.equals(")") || token.equals(",")) {
        values.add("");
      } else if (isIdentifier(token)) {
        values.add(token);
        token = take();
      }
      if (token.equals(")")) {
        return values;
      } else if (!token.equals(",")) {
        throw requirementError("found '%s', expected: ',' or ')'".formatted(token));
      }
    }
  }
}
