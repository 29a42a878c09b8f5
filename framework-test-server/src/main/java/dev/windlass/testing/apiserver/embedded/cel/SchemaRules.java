// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.types.ContentRules;
import java.util.ArrayList;
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
  private volatile @Nullable RuleTree compiled;

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
    return compilation(schema, path).errors();
  }

  /** Returns the rules in a schema that are not evaluated, each with the reason. */
  public static Map<String, String> unsupported(JsonNode schema) {
    return has(schema) && CelDependency.isPresent()
        ? compilation(schema, "").unsupported()
        : Map.of();
  }

  private static Compilation compilation(JsonNode schema, String path) {
    Compilation compilation = new Compilation(new ArrayList<>(), new LinkedHashMap<>());
    compilation.tree(rooted(schema), path);
    return compilation;
  }

  @Override
  public List<FieldError> validate(ObjectNode old, ObjectNode object) {
    if (!CelDependency.isPresent()) {
      return List.of(FieldError.forbidden("<nil>", CelDependency.MISSING));
    }
    List<FieldError> errors = new ArrayList<>();
    JsonNode before = old.isEmpty() ? old.path("missing") : old;
    tree().validate(object, before, "", errors);
    return errors;
  }

  private RuleTree tree() {
    RuleTree known = compiled;
    if (known != null) {
      return known;
    }
    RuleTree tree = new Compilation(new ArrayList<>(), new LinkedHashMap<>()).tree(schema, "");
    compiled = tree;
    return tree;
  }

  /**
   * Compiles the rules of a schema and its nested schemas.
   *
   * @param errors the errors found so far
   * @param unsupported the rules that are not evaluated, each with the reason
   */
  private record Compilation(List<FieldError> errors, Map<String, String> unsupported) {

    RuleTree tree(JsonNode schema, String path) {
      Map<String, RuleTree> properties = new LinkedHashMap<>();
      for (var property : SchemaTypes.properties(schema).properties()) {
        String at = path + ".properties[" + property.getKey() + "]";
        RuleTree tree = tree(property.getValue(), at);
        if (!tree.isEmpty()) {
          properties.put(property.getKey(), tree);
        }
      }
      RuleTree values = child(schema, "additionalProperties", path);
      RuleTree items = child(schema, "items", path);
      return new RuleTree(schema, rules(schema, path), properties, values, items);
    }

    private RuleTree child(JsonNode schema, String field, String path) {
      JsonNode child = schema.path(field);
      return child.isObject() ? tree(child, path + "." + field) : RuleTree.EMPTY;
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
