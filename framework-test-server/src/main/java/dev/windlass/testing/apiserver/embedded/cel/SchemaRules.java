// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.types.ContentRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The {@code x-kubernetes-validations} rules for one version of a custom resource. They are
 * compiled when an object is first validated. A rule with a function that only a real server has is
 * not evaluated. This class is thread-safe.
 */
public final class SchemaRules implements ContentRules {
  private static final String RULES = "x-kubernetes-validations";

  private final JsonNode schema;

  /** The compiled rules; null until an object is first validated. */
  private volatile @Nullable Compilation compiled;

  private SchemaRules(JsonNode schema) {
    this.schema = schema;
  }

  /** Returns a schema's rules. */
  public static ContentRules of(JsonNode schema) {
    return has(schema) ? new SchemaRules(rooted(schema)) : NONE;
  }

  private static boolean has(JsonNode schema) {
    return schema.findValue(RULES) != null;
  }

  /**
   * Returns a copy of the schema that is marked as the schema of an embedded resource. This gives
   * rules access to the fields that all resources have, such as {@code metadata.name}.
   */
  private static JsonNode rooted(JsonNode schema) {
    ObjectNode root = Json.shallowCopy((ObjectNode) schema);
    return root.put("x-kubernetes-embedded-resource", true);
  }

  /**
   * Validates the rules in a schema and returns the errors.
   *
   * @param path the field path of the schema, for use in the errors
   */
  public static List<FieldError> errors(JsonNode schema, String path) {
    if (!has(schema)) {
      return List.of();
    }
    if (!CelDependency.isPresent()) {
      return List.of(FieldError.forbidden(path, CelDependency.MISSING));
    }
    return compilation(rooted(schema), path).errors();
  }

  /** Returns the rules in a schema that are not evaluated, each with the reason. */
  public static Map<String, String> unsupported(JsonNode schema) {
    return has(schema) && CelDependency.isPresent()
        ? compilation(rooted(schema), "").unsupported()
        : Map.of();
  }

  private static Compilation compilation(JsonNode schema, String path) {
    Compilation compilation =
        new Compilation(new IdentityHashMap<>(), new ArrayList<>(), new LinkedHashMap<>());
    compilation.add(schema, path);
    return compilation;
  }

  @Override
  public List<FieldError> validate(ObjectNode old, ObjectNode object) {
    if (!CelDependency.isPresent()) {
      return List.of(FieldError.forbidden("<nil>", CelDependency.MISSING));
    }
    Compilation known = compiled;
    if (known == null) {
      known = compilation(schema, "");
      compiled = known;
    }
    List<FieldError> errors = new ArrayList<>();
    JsonNode before = old.isEmpty() ? MissingNode.getInstance() : old;
    new Evaluation(known.rules(), errors).validate(schema, object, before, "");
    return errors;
  }

  /**
   * Evaluates the rules for a value and the values within it.
   *
   * @param rules the rules, by the schema that contains them
   */
  private record Evaluation(Map<JsonNode, List<ValidationRule>> rules, List<FieldError> errors) {

    /**
     * Validates a value.
     *
     * @param old the value before the write; a missing node if there was none
     */
    void validate(JsonNode schema, JsonNode value, JsonNode old, String path) {
      if (value.isNull()) {
        return;
      }
      evaluate(schema, value, old, path);
      for (int i = 0; value.isArray() && i < value.size(); i++) {
        JsonNode before = correlated(schema, value.get(i), old);
        validate(schema.path("items"), value.get(i), before, "%s[%d]".formatted(path, i));
      }
      boolean granular = !schema.path("x-kubernetes-map-type").asText("").equals("atomic");
      for (var field : value.properties()) {
        String name = field.getKey();
        JsonNode property = schema.path("properties").path(name);
        boolean listed = !property.isMissingNode();
        String at = path.isEmpty() ? name : listed ? path + "." + name : path + "[" + name + "]";
        validate(
            listed ? property : schema.path("additionalProperties"),
            field.getValue(),
            granular ? old.path(name) : MissingNode.getInstance(),
            at);
      }
    }

    /**
     * Returns the element of the old list with the same keys as {@code element}. Returns a missing
     * node if there is no such element, or if the list is not of the type {@code map}.
     */
    private static JsonNode correlated(JsonNode schema, JsonNode element, JsonNode old) {
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

    private void evaluate(JsonNode schema, JsonNode value, JsonNode old, String path) {
      List<ValidationRule> all = rules.getOrDefault(schema, List.of());
      if (all.isEmpty()) {
        return;
      }
      boolean exists = !old.isMissingNode() && !old.isNull();
      boolean unchanged = exists && Json.same(value, old);
      Object self = SchemaValues.of(schema, value);
      Object oldSelf = exists ? SchemaValues.of(schema, old) : null;
      for (ValidationRule rule : all) {
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

  /**
   * Compiles the rules of a schema and its nested schemas.
   *
   * @param rules the compiled rules, by the schema that contains them
   * @param errors the errors found so far
   * @param unsupported the rules that are not evaluated, each with the reason
   */
  private record Compilation(
      Map<JsonNode, List<ValidationRule>> rules,
      List<FieldError> errors,
      Map<String, String> unsupported) {

    void add(JsonNode schema, String path) {
      for (var property : SchemaTypes.properties(schema).properties()) {
        add(property.getValue(), path + ".properties[" + property.getKey() + "]");
      }
      for (String child : List.of("additionalProperties", "items")) {
        if (schema.path(child).isObject()) {
          add(schema.path(child), path + "." + child);
        }
      }
      if (schema.has(RULES)) {
        rules.put(schema, rules(schema, path));
      }
    }

    private List<ValidationRule> rules(JsonNode schema, String path) {
      List<ValidationRule> rules = new ArrayList<>();
      int index = 0;
      for (JsonNode rule : schema.path(RULES)) {
        String at = "%s.%s[%d]".formatted(path, RULES, index++);
        String text = rule.path("rule").asText("").strip();
        if (text.isEmpty()) {
          errors.add(FieldError.required(at + ".rule", "rule is not specified"));
          continue;
        }
        try {
          rule(schema, rule, text, at).ifPresent(rules::add);
        } catch (CelExpression.Failure e) {
          if (e.isUnsupported()) {
            unsupported.put(text, e.text());
          } else {
            errors.add(FieldError.invalid(at + ".rule", text, e.text()));
          }
        }
      }
      return rules;
    }

    private Optional<ValidationRule> rule(JsonNode schema, JsonNode rule, String text, String path)
        throws CelExpression.Failure {
      SchemaTypes types = new SchemaTypes();
      Optional<CelType> self = types.type(schema, "selfType");
      if (self.isEmpty()) {
        return Optional.empty();
      }
      boolean optional = rule.path("optionalOldSelf").asBoolean();
      Map<String, CelType> variables =
          Map.of(
              "self",
              self.get(),
              "oldSelf",
              optional ? OptionalType.create(self.get()) : self.get());
      CelExpression compiled = CelExpression.compile(types, variables, text, SimpleType.BOOL);
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
        CelExpression shown = CelExpression.compile(types, variables, message, SimpleType.STRING);
        return Optional.of(new ValidationRule(rule, compiled, shown));
      } catch (CelExpression.Failure e) {
        if (e.isUnsupported()) {
          return Optional.of(new ValidationRule(rule, compiled, null)); // with its fixed message
        }
        String at = path + ".messageExpression";
        errors.add(FieldError.invalid(at, message, e.text()));
        return Optional.empty();
      }
    }
  }
}
