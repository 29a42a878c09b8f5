// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.selector;

import dev.windlass.object.selector.LabelRequirement.Operator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses the text of a label selector from left to right, in one pass.
 *
 * <pre>
 * selector    = [ requirement { "," requirement } ]
 * requirement = "!" key | key | key operator value | key ( "in" | "notin" ) "(" value { "," value } ")"
 * operator    = "=" | "==" | "!=" | "&gt;" | "&lt;"
 * </pre>
 *
 * A value can be empty. Empty parentheses contain the empty value. {@code in} and {@code notin} are
 * operators only where an operator is expected; elsewhere they are keys or values. Instances cannot
 * be reused and are not thread-safe.
 */
final class SelectorParser {

  private final String text;
  private int at;

  SelectorParser(String text) {
    this.text = text;
  }

  /**
   * Parses the selector, and returns its requirements in the order in which they appear.
   *
   * @throws IllegalArgumentException if the string is not a selector
   */
  List<LabelRequirement> parse() {
    List<LabelRequirement> found = new ArrayList<>();
    skipSpace();
    if (at == text.length()) {
      return found;
    }
    do {
      found.add(requirement());
    } while (accept(","));
    if (at < text.length()) {
      throw expected("',' or the end");
    }
    return found;
  }

  private LabelRequirement requirement() {
    boolean absent = accept("!");
    int start = skipSpace();
    String key = word();
    if (key.isEmpty()) {
      throw expected("the key of a label");
    }
    refuse(LabelSyntax.problemOfKey(key), start);
    skipSpace();
    if (absent) {
      return LabelRequirement.of(key, Operator.DOES_NOT_EXIST, List.of());
    }
    if (at == text.length() || text.charAt(at) == ',') {
      return LabelRequirement.of(key, Operator.EXISTS, List.of());
    }
    if (accept("==") || accept("=")) {
      return LabelRequirement.of(key, Operator.IN, List.of(value()));
    }
    if (accept("!=")) {
      return LabelRequirement.of(key, Operator.NOT_IN, List.of(value()));
    }
    if (accept(">")) {
      return LabelRequirement.of(key, Operator.GREATER, List.of(number()));
    }
    if (accept("<")) {
      return LabelRequirement.of(key, Operator.LESS, List.of(number()));
    }
    start = at;
    switch (word()) {
      case "in" -> {
        return LabelRequirement.of(key, Operator.IN, values());
      }
      case "notin" -> {
        return LabelRequirement.of(key, Operator.NOT_IN, values());
      }
      default -> {
        at = start;
        throw expected("one of =, ==, !=, >, <, in, notin");
      }
    }
  }

  private List<String> values() {
    if (!accept("(")) {
      throw expected("'('");
    }
    List<String> values = new ArrayList<>();
    do {
      values.add(value());
    } while (accept(","));
    if (!accept(")")) {
      throw expected("',' or ')'");
    }
    return values;
  }

  private String value() {
    int start = skipSpace();
    String value = word();
    refuse(LabelSyntax.problemOfValue(value), start);
    return value;
  }

  private String number() {
    int start = skipSpace();
    String value = value();
    refuse(LabelRequirement.isNumber(value) ? null : "'" + value + "' is not an integer", start);
    return value;
  }

  /** Skips a symbol if it comes next. Returns whether the symbol was skipped. */
  private boolean accept(String symbol) {
    skipSpace();
    boolean found = text.startsWith(symbol, at);
    at += found ? symbol.length() : 0;
    return found;
  }

  /** Reads characters up to the next space or symbol. The result can be empty. */
  private String word() {
    int start = at;
    while (at < text.length()
        && !isSpace(text.charAt(at))
        && "=!(),><".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return text.substring(start, at);
  }

  private int skipSpace() {
    while (at < text.length() && isSpace(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }

  private void refuse(@Nullable String problem, int position) {
    if (problem != null) {
      throw error(position, problem);
    }
  }

  private IllegalArgumentException expected(String what) {
    int position = skipSpace();
    boolean isAtEnd = position == text.length();
    return error(
        position,
        "expected "
            + what
            + ", found "
            + (isAtEnd ? "the end" : "'" + text.charAt(position) + "'"));
  }

  private IllegalArgumentException error(int position, String problem) {
    return new IllegalArgumentException(
        "not a label selector: '%s': at character %d: %s".formatted(text, position + 1, problem));
  }
}
