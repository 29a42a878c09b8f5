// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldChecks;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.LabelSyntax;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

  /** Validates the match conditions of a webhook. */
  public static void validate(FieldChecks webhook) {
    List<FieldChecks> conditions = webhook.each("matchConditions");
    if (!conditions.isEmpty() && !CelDependency.isPresent()) {
      webhook.forbid(true, "matchConditions", CelDependency.MISSING);
      return;
    }
    for (FieldChecks condition : conditions) {
      condition.require("name");
      String name = condition.text("name");
      if (!name.isEmpty()) {
        condition.errors().addAll(LabelSyntax.ofName(condition.path() + ".name", name));
      }
      try {
        String expression = condition.text("expression").strip();
        if (expression.isEmpty()) {
          condition.errors().add(FieldError.required(condition.path() + ".expression"));
        } else {
          CelExpression.ofRequest(expression);
        }
      } catch (CelExpression.Failure e) {
        condition.check(false, "expression", e.text());
      }
    }
    webhook.unique("matchConditions", "name");
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
