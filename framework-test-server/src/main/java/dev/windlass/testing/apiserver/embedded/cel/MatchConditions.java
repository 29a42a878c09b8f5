// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.LabelSyntax;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A webhook's match conditions. The server sends a request to the webhook only if all of them are
 * true. A webhook without conditions does not need dev.cel.
 */
public final class MatchConditions {
  /** An instance without conditions. */
  public static final MatchConditions NONE = new MatchConditions(List.of());

  private final List<CelExpression> expressions;

  private MatchConditions(List<CelExpression> expressions) {
    this.expressions = List.copyOf(expressions);
  }

  /**
   * The result of an evaluation.
   *
   * @param matches whether all conditions are true
   * @param errors the errors that occurred during the evaluation; empty if a condition is false
   */
  public record Outcome(boolean matches, List<String> errors) {
    public Outcome {
      errors = List.copyOf(errors);
    }
  }

  /** Compiles match conditions, which must be valid. */
  public static MatchConditions of(JsonNode conditions) {
    List<CelExpression> compiled = new ArrayList<>();
    for (JsonNode condition : conditions) {
      try {
        compiled.add(CelExpression.ofRequest(condition.path("expression").asText()));
      } catch (CelExpression.Failure e) {
        throw new IllegalStateException("a stored condition is invalid", e);
      }
    }
    return compiled.isEmpty() ? NONE : new MatchConditions(compiled);
  }

  /**
   * Validates match conditions and returns the errors.
   *
   * @param path the field path of the conditions, for use in the errors
   */
  public static List<FieldError> errors(String path, JsonNode conditions) {
    List<FieldError> errors = new ArrayList<>();
    if (!conditions.isEmpty() && !CelDependency.isPresent()) {
      return List.of(FieldError.forbidden(path, CelDependency.MISSING));
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < conditions.size(); i++) {
      String at = path + "[" + i + "]";
      String name = conditions.get(i).path("name").asText("");
      String expression = conditions.get(i).path("expression").asText("").strip();
      if (expression.isEmpty()) {
        errors.add(FieldError.required(at + ".expression"));
      } else {
        try {
          CelExpression.ofRequest(expression);
        } catch (CelExpression.Failure e) {
          String shown = expression;
          errors.add(FieldError.invalid(at + ".expression", shown, e.text()));
        }
      }
      if (name.isEmpty()) {
        errors.add(FieldError.required(at + ".name"));
      } else {
        errors.addAll(LabelSyntax.ofName(at + ".name", name));
        if (!names.add(name)) {
          errors.add(FieldError.duplicate(at + ".name", name));
        }
      }
    }
    return errors;
  }

  /**
   * Evaluates the conditions for a request.
   *
   * @param request the {@code request} field of an AdmissionReview
   */
  public Outcome evaluate(ObjectNode request) {
    List<String> errors = new ArrayList<>();
    Map<String, Object> variables = new HashMap<>();
    if (!expressions.isEmpty()) {
      variables.put("object", SchemaValues.untyped(request.path("object")));
      variables.put("oldObject", SchemaValues.untyped(request.path("oldObject")));
      variables.put("request", SchemaValues.untyped(request));
    }
    for (CelExpression expression : expressions) {
      try {
        if (!Boolean.TRUE.equals(expression.evaluate(variables))) {
          return new Outcome(false, List.of());
        }
      } catch (CelExpression.Failure e) {
        errors.add("expression '%s' resulted in error: %s".formatted(expression.text(), e.text()));
      }
    }
    return new Outcome(errors.isEmpty(), errors);
  }
}
