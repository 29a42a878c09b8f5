// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A compiled validation rule.
 *
 * @param json the rule, as declared in the schema
 * @param rule the compiled expression of the rule
 * @param message the expression that returns the error message; null if there is none
 */
record ValidationRule(JsonNode json, CelExpression rule, @Nullable CelExpression message) {

  /**
   * Returns whether {@code oldSelf} is an optional value. If it is, the rule is also evaluated when
   * there is no old value, for example during a create.
   */
  boolean optionalOldSelf() {
    return json.path("optionalOldSelf").asBoolean();
  }

  /**
   * Evaluates the rule. Returns the violation, or empty if the value satisfies the rule.
   *
   * @param path the field path of the value
   * @param type the JSON type of the value
   */
  Optional<FieldError> violation(String path, String type, Map<String, ?> variables) {
    Object result;
    try {
      result = rule.evaluate(variables);
    } catch (CelExpression.Failure e) {
      return Optional.of(
          FieldError.invalid(shown(path), type, e.text() + " evaluating rule: " + name()));
    }
    if (Boolean.TRUE.equals(result)) {
      return Optional.empty();
    }
    String field = json.path("fieldPath").asText("").strip();
    String at = field.isEmpty() ? shown(path) : path.isEmpty() ? field.substring(1) : path + field;
    return Optional.of(error(at, type, text(variables)));
  }

  private String text(Map<String, ?> variables) {
    if (message != null) {
      try {
        String text = String.valueOf(message.evaluate(variables)).strip();
        if (!text.isEmpty() && !text.contains("\n")) {
          return text;
        }
      } catch (CelExpression.Failure e) {
        // The real server also falls back to the fixed message.
      }
    }
    String fixed = json.path("message").asText("").strip();
    return fixed.isEmpty() ? "failed rule: " + name() : fixed;
  }

  private String name() {
    String fixed = json.path("message").asText("").strip();
    return fixed.isEmpty() ? rule.text().strip() : fixed;
  }

  private FieldError error(String path, String type, String text) {
    return switch (json.path("reason").asText("")) {
      case "FieldValueForbidden" -> FieldError.forbidden(path, text);
      case "FieldValueRequired" -> FieldError.required(path, text);
      case "FieldValueDuplicate" -> FieldError.duplicate(path, type);
      default -> FieldError.invalid(path, type, text);
    };
  }

  /** Returns the path as a real server shows it. */
  private static String shown(String path) {
    return path.isEmpty() ? "<nil>" : path;
  }
}
