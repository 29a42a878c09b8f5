// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.schema.SchemaPruning;
import dev.windlass.testing.apiserver.embedded.types.ModelFields;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Prunes the fields that a type does not have. */
final class UnknownFields {
  private UnknownFields() {}

  /** Prunes the unknown fields of an object in place and returns their paths. */
  static List<String> prune(ResourceType type, ObjectNode object) {
    ObjectNode schema = type.schema();
    if (schema == null) {
      return ModelFields.prune(type.model(), object);
    }
    List<String> unknown = new ArrayList<>(SchemaPruning.prune(schema, object));
    if (object.get("metadata") instanceof ObjectNode metadata) {
      for (String field : ModelFields.prune(ObjectMeta.class, metadata)) {
        unknown.add("metadata." + field);
      }
    }
    Collections.sort(unknown);
    return unknown;
  }
}
