// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.util.ArrayList;
import java.util.List;

/** Checks that an update of a ConfigMap or a Secret does not change immutable fields. */
public final class ImmutableDataRules {

  private static final String RULE = "field is immutable when `immutable` is set";

  private ImmutableDataRules() {}

  /** Validates an update from {@code old} to {@code now} and returns the errors. */
  public static List<FieldError> onUpdate(ResourceType type, ObjectNode old, ObjectNode now) {
    List<FieldError> errors = new ArrayList<>();
    boolean secret = type.kind().equals("Secret");
    if (type.custom() || !type.group().isEmpty() || !(secret || type.kind().equals("ConfigMap"))) {
      return errors;
    }
    if (secret && !old.path("type").equals(now.path("type"))) {
      errors.add(FieldError.invalid("type", now.path("type"), "field is immutable"));
    }
    if (old.path("immutable").asBoolean()) {
      if (!now.path("immutable").asBoolean()) {
        errors.add(FieldError.forbidden("immutable", RULE));
      }
      for (String field : List.of("data", "binaryData")) {
        if (!old.path(field).equals(now.path(field))) {
          errors.add(FieldError.forbidden(field, RULE));
        }
      }
    }
    return errors;
  }
}
