// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compiles the validation rules of a schema and its nested schemas, and collects compilation
 * errors.
 */
final class RuleCompiler {
  private static final String RULES = "x-kubernetes-validations";

  private final List<FieldError> errors = new ArrayList<>();

  /** Returns the errors found so far. */
  List<FieldError> errors() {
    return errors;
  }

  /**
   * Compiles the validation rules of a schema and its nested schemas.
   *
   * @param path the field path of the schema, for use in the errors
   */
  RuleTree compile(JsonNode schema, String path) {
    Map<String, RuleTree> properties = new LinkedHashMap<>();
    for (var property : SchemaTypes.properties(schema).properties()) {
      String at = path + ".properties[" + property.getKey() + "]";
      add(properties, property.getKey(), compile(property.getValue(), at));
    }
    RuleTree values = child(schema, "additionalProperties", path);
    RuleTree items = child(schema, "items", path);
    return new RuleTree(schema, rules(schema, path), properties, values, items);
  }

  private static void add(Map<String, RuleTree> trees, String name, RuleTree tree) {
    if (!tree.isEmpty()) {
      trees.put(name, tree);
    }
  }

  private RuleTree child(JsonNode schema, String field, String path) {
    JsonNode child = schema.path(field);
    return child.isObject() ? compile(child, path + "." + field) : RuleTree.EMPTY;
  }

  private List<ValidationRule> rules(JsonNode schema, String path) {
    List<ValidationRule> rules = new ArrayList<>();
    int index = 0;
    for (JsonNode rule : schema.path(RULES)) {
      compile(schema, rule, "%s.%s[%d]".formatted(path, RULES, index)).ifPresent(rules::add);
      index++;
    }
    return rules;
  }

  private Optional<ValidationRule> compile(JsonNode schema, JsonNode rule, String path) {
    String text = rule.path("rule").asText("");
    if (text.isBlank()) {
      errors.add(FieldError.required(path + ".rule", "rule is not specified"));
      return Optional.empty();
    }
    SchemaTypes types = new SchemaTypes();
    Optional<CelType> self = types.type(schema, "selfType");
    if (self.isEmpty()) {
      return Optional.empty();
    }
    CelType old =
        rule.path("optionalOldSelf").asBoolean() ? OptionalType.create(self.get()) : self.get();
    CelEnvironment environment =
        new CelEnvironment(types, Map.of("self", self.get(), "oldSelf", old));
    CelExpression compiled;
    try {
      compiled =
          environment.compile(
              text, SimpleType.BOOL, type -> "cel expression must evaluate to a bool");
    } catch (CelFailure e) {
      errors.add(FieldError.invalid(path + ".rule", shown(rule), e.text()));
      return Optional.empty();
    }
    if (rule.has("optionalOldSelf") && !compiled.usesOldSelf()) {
      errors.add(
          FieldError.invalid(
              path + ".optionalOldSelf",
              rule.path("optionalOldSelf"),
              "may not be set if oldSelf is not used in rule"));
    }
    String message = rule.path("messageExpression").asText("");
    if (message.isBlank()) {
      return Optional.of(new ValidationRule(rule, compiled, null));
    }
    try {
      return Optional.of(
          new ValidationRule(
              rule,
              compiled,
              environment.compile(
                  message, SimpleType.STRING, type -> "must evaluate to a string")));
    } catch (CelFailure e) {
      errors.add(
          FieldError.invalid(
              path + ".messageExpression", shown(rule), "messageExpression " + e.text()));
      return Optional.empty();
    }
  }

  /**
   * Returns the JSON that represents a rule in error messages. As in the real server's messages,
   * the field names are those of Go's internal type.
   */
  private static String shown(JsonNode rule) {
    ObjectNode shown = Json.object();
    shown.put("Rule", rule.path("rule").asText(""));
    shown.put("Message", rule.path("message").asText(""));
    shown.put("MessageExpression", rule.path("messageExpression").asText(""));
    shown.set("Reason", rule.get("reason"));
    shown.put("FieldPath", rule.path("fieldPath").asText(""));
    shown.set("OptionalOldSelf", rule.get("optionalOldSelf"));
    return shown.toString().replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
  }
}
