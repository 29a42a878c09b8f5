// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait;
import java.util.ArrayList;
import java.util.List;

/**
 * The validation rules for the replica counts that the scale subresource of a custom resource
 * exposes.
 */
final class ScaleRules {
  private ScaleRules() {}

  static List<FieldError> validate(ResourceType type, ObjectNode object) {
    List<FieldError> errors = new ArrayList<>();
    if (type.has(Trait.SCALE)) {
      check(type.scale().replicas(), object, errors);
      check(type.scale().statusReplicas(), object, errors);
    }
    return errors;
  }

  private static void check(String pointer, ObjectNode object, List<FieldError> errors) {
    String path = pointer.replace('/', '.');
    JsonNode at = object;
    for (String step : pointer.substring(1).split("/", -1)) {
      if (!at.isObject()) {
        break;
      }
      at = at.path(step);
    }
    if (at.isTextual()) {
      String wanted = object.at(pointer).isTextual() ? "int64" : "map[string]interface{}";
      String why = "%s accessor error: %s is of the type string, expected %s";
      errors.add(FieldError.invalid(path, "0", why.formatted(path, at.asText(), wanted)));
    } else if (at.isIntegralNumber() && at.asLong() < 0) {
      errors.add(FieldError.invalid(path, at, "should be a non-negative integer"));
    }
  }
}
