// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import dev.cel.common.CelIssue;
import dev.cel.common.CelValidationResult;
import dev.cel.runtime.CelEvaluationException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Formats the errors of CEL's Java implementation in the same way as cel-go. */
final class GoMessages {
  private static final Pattern CANDIDATES = Pattern.compile(" \\(candidates: .*\\)$");
  private static final Pattern SYNTAX =
      Pattern.compile(
          "^(mismatched input|extraneous input|no viable alternative|missing |token recognition)");
  private static final Pattern KEY = Pattern.compile("key '(.*)' is not present in map");
  private static final Pattern INDEX = Pattern.compile("Index out of bounds: (-?\\d+)");
  private static final Pattern PREFIX = Pattern.compile("^evaluation error(?: at [^:]*:\\d+)?: ");

  private static final Pattern PLACE = Pattern.compile("^evaluation error at [^:]*:(\\d+): ");
  private static final Pattern FUNCTION = Pattern.compile("[a-z]+$");

  private GoMessages() {}

  /** Returns the error messages for a failed compilation. */
  static String compilation(CelValidationResult result) {
    List<CelIssue> issues =
        result.getErrors().stream()
            .map(
                issue ->
                    CelIssue.formatError(
                        issue.getExprId(), issue.getSourceLocation(), inGo(issue.getMessage())))
            .toList();
    return CelIssue.toDisplayString(issues, result.getSource());
  }

  private static String inGo(String message) {
    return SYNTAX.matcher(message).find()
        ? "Syntax error: " + message
        : CANDIDATES.matcher(message).replaceFirst("");
  }

  /**
   * Returns the error message for a failed evaluation.
   *
   * @param text the expression
   */
  static String evaluation(String text, CelEvaluationException failure) {
    String whole = String.valueOf(failure.getMessage());
    String message = PREFIX.matcher(whole).replaceFirst("");
    return switch (failure.getErrorCode()) {
      case ATTRIBUTE_NOT_FOUND -> {
        Matcher key = KEY.matcher(message);
        yield "no such key: " + (key.find() ? key.group(1) : message);
      }
      case INDEX_OUT_OF_BOUNDS -> {
        Matcher index = INDEX.matcher(message);
        yield "index out of bounds: " + (index.find() ? index.group(1) : message);
      }
      case DIVIDE_BY_ZERO ->
          (at(text, whole).startsWith("%") ? "modulus" : "division") + " by zero";
      case NUMERIC_OVERFLOW -> "integer overflow";
      case OVERLOAD_NOT_FOUND -> "no such overload";
      case BAD_FORMAT -> {
        String before = text.substring(0, text.length() - at(text, whole).length());
        Matcher function = FUNCTION.matcher(before);
        yield function.find()
            ? "type conversion error from 'string' to '" + function.group() + "'"
            : message;
      }
      default -> ofFunction(failure, message);
    };
  }

  /** Returns the part of an expression from the position at which its evaluation failed. */
  private static String at(String text, String message) {
    Matcher place = PLACE.matcher(message);
    int start = place.find() ? Integer.parseInt(place.group(1)) : text.length();
    return text.substring(Math.min(start, text.length()));
  }

  /**
   * Returns the message of the Kubernetes function that failed, or {@code message} if no such
   * function failed.
   */
  private static String ofFunction(CelEvaluationException failure, String message) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof IllegalArgumentException)) {
      cause = cause.getCause();
    }
    return cause == null ? message : String.valueOf(cause.getMessage());
  }
}
