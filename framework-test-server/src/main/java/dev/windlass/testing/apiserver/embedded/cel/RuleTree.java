// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The compiled validation rules of a schema and its nested schemas.
 *
 * @param schema the schema that contains the rules
 * @param rules the rules for the value itself
 * @param properties the rules for the properties, by property name; properties without rules have
 *     no entry
 * @param values the rules for the values of {@code additionalProperties}; null or empty if there
 *     are none
 * @param items the rules for list elements; null or empty if there are none
 */
record RuleTree(
    JsonNode schema,
    List<ValidationRule> rules,
    Map<String, RuleTree> properties,
    @Nullable RuleTree values,
    @Nullable RuleTree items) {

  static final RuleTree EMPTY =
      new RuleTree(MissingNode.getInstance(), List.of(), Map.of(), null, null);

  RuleTree {
    rules = List.copyOf(rules);
    properties = Map.copyOf(properties);
  }

  boolean isEmpty() {
    return rules.isEmpty()
        && properties.isEmpty()
        && (values == null || values.isEmpty())
        && (items == null || items.isEmpty());
  }

  /**
   * Validates a value, and adds each violation of a rule to {@code errors}.
   *
   * @param old the value before the write; a missing node if there was none
   */
  void validate(JsonNode value, JsonNode old, String path, List<FieldError> errors) {
    if (isEmpty() || value.isNull() || value.isMissingNode()) {
      return;
    }
    evaluate(value, old, path, errors);
    if (value.isArray() && items != null) {
      for (int i = 0; i < value.size(); i++) {
        items.validate(
            value.get(i), correlated(value.get(i), old), "%s[%d]".formatted(path, i), errors);
      }
    } else if (value.isObject()) {
      boolean granular = !schema.path("x-kubernetes-map-type").asText("").equals("atomic");
      for (var field : value.properties()) {
        RuleTree tree = properties.getOrDefault(field.getKey(), values == null ? EMPTY : values);
        boolean property = schema.path("properties").has(field.getKey());
        String at =
            path.isEmpty()
                ? field.getKey()
                : property ? path + "." + field.getKey() : path + "[" + field.getKey() + "]";
        JsonNode before = granular ? old.path(field.getKey()) : MissingNode.getInstance();
        tree.validate(field.getValue(), before, at, errors);
      }
    }
  }

  /**
   * Returns the element of the old list with the same keys as {@code element}. Returns a missing
   * node if there is no such element, or if the list is not of the type {@code map}.
   */
  private JsonNode correlated(JsonNode element, JsonNode old) {
    if (schema.path("x-kubernetes-list-type").asText("").equals("map")) {
      for (JsonNode candidate : old) {
        boolean same = true;
        for (JsonNode key : schema.path("x-kubernetes-list-map-keys")) {
          same &= candidate.path(key.asText()).equals(element.path(key.asText()));
        }
        if (same) {
          return candidate;
        }
      }
    }
    return MissingNode.getInstance();
  }

  private void evaluate(JsonNode value, JsonNode old, String path, List<FieldError> errors) {
    if (rules.isEmpty()) {
      return;
    }
    boolean exists = !old.isMissingNode() && !old.isNull();
    boolean unchanged = exists && Json.same(value, old);
    Object self = SchemaValues.of(schema, value);
    Object oldSelf = exists ? SchemaValues.of(schema, old) : null;
    for (ValidationRule rule : rules) {
      boolean transition = rule.rule().usesOldSelf();
      if (transition && !exists && !rule.optionalOldSelf()) {
        continue;
      }
      Map<String, Object> variables = new HashMap<>();
      variables.put("self", self);
      if (rule.optionalOldSelf()) {
        variables.put("oldSelf", Optional.ofNullable(oldSelf));
      } else if (oldSelf != null) {
        variables.put("oldSelf", oldSelf);
      }
      // An unchanged value remains valid, even if the rule is new.
      rule.violation(path, schema.path("type").asText(), variables)
          .filter(error -> transition || !unchanged)
          .ifPresent(errors::add);
    }
  }
}
