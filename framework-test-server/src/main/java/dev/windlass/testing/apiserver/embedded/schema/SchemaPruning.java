// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Drops the fields of a custom resource that its schema does not define. */
public final class SchemaPruning {
  private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
  private static final Set<String> EVERY_OBJECT = Set.of("apiVersion", "kind", "metadata");

  private SchemaPruning() {}

  /**
   * Prunes an object in place and returns the paths of the dropped fields. Does not prune the
   * object's metadata.
   */
  public static List<String> prune(ObjectNode schema, ObjectNode object) {
    List<String> dropped = new ArrayList<>();
    prune(schema, object, EVERY_OBJECT, "", dropped);
    return dropped;
  }

  private static void prune(
      JsonNode schema, JsonNode value, Set<String> known, String path, List<String> dropped) {
    if (value instanceof ObjectNode object) {
      pruneObject(schema, object, known, path.isEmpty() ? "" : path + ".", dropped);
    } else {
      JsonNode items = schema.path("items");
      for (int i = 0; i < value.size(); i++) {
        prune(items, value.path(i), known(items), path + "[" + i + "]", dropped);
      }
    }
  }

  private static void pruneObject(
      JsonNode schema, ObjectNode object, Set<String> known, String prefix, List<String> dropped) {
    boolean preserve = schema.path(PRESERVE).asBoolean();
    JsonNode properties = schema.path("properties");
    JsonNode additional = schema.path("additionalProperties");
    List<String> unknown = new ArrayList<>();
    for (var field : object.properties()) {
      JsonNode property = properties.path(field.getKey());
      if (known.contains(field.getKey())) {
        continue;
      }
      if (!property.isMissingNode()) {
        prune(property, field.getValue(), known(property), prefix + field.getKey(), dropped);
      } else if (additional.isObject()) {
        prune(additional, field.getValue(), known(additional), prefix + field.getKey(), dropped);
      } else if (!preserve && !additional.asBoolean()) {
        unknown.add(field.getKey());
        dropped.add(prefix + field.getKey());
      }
    }
    object.remove(unknown);
  }

  private static Set<String> known(JsonNode schema) {
    return schema.path("x-kubernetes-embedded-resource").asBoolean() ? EVERY_OBJECT : Set.of();
  }
}
