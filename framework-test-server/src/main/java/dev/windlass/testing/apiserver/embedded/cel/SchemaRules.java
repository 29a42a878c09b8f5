// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.types.ContentRules;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@code x-kubernetes-validations} rules for one version of a custom resource. They are
 * compiled when an object is first validated. This class is thread-safe.
 */
public final class SchemaRules implements ContentRules {
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
    return schema.findValue("x-kubernetes-validations") != null;
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
    RuleCompiler compiler = new RuleCompiler();
    compiler.compile(rooted(schema), path);
    return compiler.errors();
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
    RuleTree tree = new RuleCompiler().compile(schema, "");
    compiled = tree;
    return tree;
  }
}
